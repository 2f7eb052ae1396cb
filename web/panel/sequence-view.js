// The sequence chart: the calls that the ring still has, in the order of their events, by depth. What the axis means stands on
// it: event numbers.
import { END, STEP } from '../../js/model/steps.js';
import { styles } from '../../js/views/ansi.js';
import { EventText } from '../../js/views/event-text.js';
import { UNCERTAIN } from '../../js/views/log.js';
import { EDGE, sequenceLayout } from '../../js/views/sequence-layout.js';
import { counted, grouped } from '../../js/views/text.js';
import { toneOf } from '../../js/views/tones.js';
import { KIND } from './chart-theme.js';
import { LevelChart } from './level-chart.js';
import { functionSearch } from './name-search.js';
import { RULER_HEIGHT, drawBar, drawMarks, drawRuler, drawTornEnd } from './sequence-marks.js';

/** @import {TraceModel} from '../../js/model/trace-model.js' */
/** @import {SequenceLayout} from '../../js/views/sequence-layout.js' */
/** @import {Theme} from './chart-theme.js' */
/** @import {Box} from './level-painter.js' */
/** @import {ChartSource, Picture} from './level-chart.js' */

/**
 * @typedef {object} SequenceData
 * @property {TraceModel} model
 * @property {{name(func: number): string}} names
 * @property {string} [title] of what the calls are: a module, a session
 *
 * @typedef {object} SequenceCall a call as plain data
 * @property {number} call index in the model's calls
 * @property {number} func
 * @property {string} name
 * @property {number} begin   @property {number} end event numbers, counted from the first event ever
 */

const FEWEST_EVENTS = 8;

/** @type {ReadonlyMap<number, string>} */
const ENDINGS = new Map([
  [END.RUNNING, 'still running'],
  [END.UNWOUND, 'left by an exception or a trap'],
  [END.TAIL, 'ended in a tail call'],
  [END.THROWN, 'the function of the host threw'],
]);

/** What a model looks like as a chart; items are spans. */
class SequenceSource {
  #model;
  #names;
  #text;
  #tones = new Map();
  /** @type {SequenceLayout} */
  layout;

  /** @param {SequenceData} data */
  constructor({ model, names }) {
    this.#model = model;
    this.#names = names;
    this.#text = new EventText(model, names, styles(false));
    this.layout = sequenceLayout(model);
  }

  /** @returns {ChartSource} */
  get chart() {
    const { levels, whole, calls } = this.layout;
    return {
      levels,
      whole,
      least: FEWEST_EVENTS,
      empty: 'No events recorded',
      label: (span) => this.name(calls[span]),
      fill: (span) => this.#fill(this.#model.calls.func[calls[span]]),
      lines: (span) => this.#lines(span),
      slotOf: (span) => span,
      group: (span) => this.#model.calls.func[calls[span]],
      decorate: (context, span, box, theme) => this.#decorate(context, span, box, theme),
      front: (context, picture) => this.#front(context, picture),
    };
  }

  /** @param {number} call */
  name(call) {
    return this.#names.name(this.#model.calls.func[call]);
  }

  /** The first span of a call. @param {number} call @returns {number} -1 for one that is not drawn */
  spanOf(call) {
    return this.layout.calls.indexOf(call);
  }

  /** @param {number} func */
  #fill(func) {
    let tone = this.#tones.get(func);
    if (tone !== undefined) return tone;
    tone = (func < this.#model.metadata.importCount ? KIND.IMPORT : KIND.OWN) + toneOf(this.#names.name(func));
    this.#tones.set(func, tone);
    return tone;
  }

  /** @param {number} span */
  #lines(span) {
    const { calls, metadata } = this.#model;
    const call = this.layout.calls[span];
    const notes = [
      calls.func[call] < metadata.importCount ? 'function of the host' : '',
      calls.hosted.has(call) ? 'called by the host from inside of the call above' : '',
      ENDINGS.get(calls.end[call]) ?? '',
      this.layout.edges[span] & (EDGE.RESUMED | EDGE.SUSPENDED) ? 'was suspended: there is more than one span' : '',
    ];
    return [this.#call(call), this.#events(call), ...notes.filter((note) => note !== '')];
  }

  /** With what is known of arguments and results. @param {number} call */
  #call(call) {
    const { enter, leave, end, uncertain } = this.#model.calls;
    const begin = enter[call] < 0 ? this.name(call) : this.#text.call(enter[call]);
    const results = end[call] === END.RETURNED ? this.#text.results(leave[call]) : '';
    return `${begin}${uncertain.has(call) ? UNCERTAIN : ''}${results && ` -> ${results}`}`;
  }

  /** @param {number} call */
  #events(call) {
    const { enter, leave } = this.#model.calls;
    const number = (/** @type {number} */ event) => grouped(event + this.#model.lost);
    const begin = enter[call] < 0 ? 'begun before what is left of the events' : `from event ${number(enter[call])}`;
    return leave[call] < 0 ? begin : `${begin}${enter[call] < 0 ? ',' : ''} to event ${number(leave[call])}`;
  }

  /** Marks at the ends of a span. @param {CanvasRenderingContext2D} context @param {number} span @param {Box} box @param {Theme} theme */
  #decorate(context, span, box, theme) {
    const { calls } = this.#model;
    const call = this.layout.calls[span];
    const edges = this.layout.edges[span];
    if (calls.hosted.has(call)) drawBar(context, box, 'left', theme.hover);
    if (edges & (EDGE.LOST | EDGE.RESUMED)) drawTornEnd(context, box, 'left', theme);
    if (edges & (EDGE.OPEN | EDGE.SUSPENDED)) drawTornEnd(context, box, 'right', theme);
    else if (calls.end[call] === END.UNWOUND || calls.end[call] === END.THROWN) drawBar(context, box, 'right', theme.failure);
    else if (calls.end[call] === END.TAIL) drawBar(context, box, 'right', theme.accent);
  }

  /** @param {CanvasRenderingContext2D} context @param {Picture} picture */
  #front(context, picture) {
    const { kind } = this.#model.calls.steps;
    drawMarks(context, this.layout.marks, (step) => kind[step] === STEP.TRAP, picture);
    drawRuler(context, this.layout.lost, picture);
  }
}

export class SequenceView {
  #chart;
  /** @type {SequenceData | null} */
  #data = null;
  /** @type {SequenceSource | null} */
  #source = null;
  #text = '';
  /** Called when the user selects a call; null: none any more. @type {(call: SequenceCall | null) => void} */
  onSelect = () => {};

  /** @param {Element} container with a size of its own; it is filled */
  constructor(container) {
    const spoken = { role: 'sequence chart', label: 'Sequence of calls' };
    this.#chart = new LevelChart(container, spoken, (span) => this.onSelect(this.#call(span)));
    this.#chart.rows.header = RULER_HEIGHT;
  }

  /**
   * The part that is looked at stays where its events are still there; at the newest events, it stays with the newest.
   * @param {SequenceData} data
   */
  show(data) {
    const before = this.#data?.model;
    const selected = this.selected;
    const { isWhole, from, to, whole, span } = this.#chart.settled;
    this.#data = data;
    this.#source = new SequenceSource(data);
    const { layout } = this.#source;
    const moved = before ? data.model.lost - before.lost : 0;
    const kept = to === whole ? [layout.whole - span, layout.whole] : [from - moved, to - moved];
    const view = before && !isWhole ? /** @type {[number, number]} */ (kept) : null;
    this.#chart.show(this.#source.chart, { view, selected: selected ? this.#find(selected) : -1 });
    const of = data.title ? ` of ${data.title}` : '';
    this.#chart.label = `Sequence of ${counted(data.model.calls.length, 'call')}${of} by event number`;
    if (this.#text) this.search(this.#text);
  }

  /**
   * Highlights the calls of all functions whose name has the text in it. '' ends it.
   * @param {string} text
   * @returns {{matches: number}} calls
   */
  search(text) {
    this.#text = text;
    if (!this.#data || !this.#source || text === '') {
      this.#chart.highlight(null);
      return { matches: 0 };
    }
    const { calls } = this.#data.model;
    const { names } = this.#data;
    const wanted = functionSearch(text, (func) => names.name(func));
    const { calls: ofSpan } = this.#source.layout;
    this.#chart.highlight((span) => wanted(calls.func[ofSpan[span]]));
    return { matches: calls.func.reduce((sum, func) => sum + Number(wanted(func)), 0) };
  }

  /** The selected call. */
  get selected() {
    return this.#call(this.#chart.selected);
  }

  /** Selects a call without telling onSelect. @param {{call: number} | null} call */
  select(call) {
    this.#chart.select(call && this.#source ? this.#source.spanOf(call.call) : -1);
  }

  /** Zooms to a call; without one to the whole. @param {{call: number} | null} [call] */
  focus(call) {
    const span = call && this.#source ? this.#source.spanOf(call.call) : -1;
    if (span >= 0) this.#chart.focus(span);
    else this.#chart.reset();
  }

  /** Draws anew: custom properties have changed. */
  restyle() {
    this.#chart.invalidate();
  }

  destroy() {
    this.#chart.destroy();
  }

  /** @param {number} span @returns {SequenceCall | null} */
  #call(span) {
    if (span < 0 || !this.#source || !this.#data) return null;
    const { calls, lost } = this.#data.model;
    const { levels } = this.#source.layout;
    const call = this.#source.layout.calls[span];
    const [begin, end] = [levels.x0(span) + lost, levels.x1(span) + lost];
    return { call, func: calls.func[call], name: this.#source.name(call), begin, end };
  }

  /** The span of a call of an older model. @param {SequenceCall} call @returns {number} -1 when it is gone */
  #find({ func, begin }) {
    if (!this.#source || !this.#data) return -1;
    const { calls, lost } = this.#data.model;
    const { layout } = this.#source;
    for (let span = 0; span < layout.calls.length; span++) {
      if (layout.levels.x0(span) + lost === begin && calls.func[layout.calls[span]] === func) return span;
    }
    return -1;
  }
}
