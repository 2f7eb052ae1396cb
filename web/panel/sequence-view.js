// The sequence chart: the calls that the ring still has, by depth, in the order of their events or at their times. What the axis
// means stands on it.
import * as END from '../../js/model/end.js';
import * as STEP from '../../js/model/step.js';
import { styles } from '../../js/views/ansi.js';
import { EventText } from '../../js/views/event-text.js';
import { UNCERTAIN } from '../../js/views/log.js';
import { EDGE, hasTimes, sequenceLayout } from '../../js/views/sequence-layout.js';
import { counted, grouped } from '../../js/views/text.js';
import { toneOf } from '../../js/views/tones.js';
import { amountWithUnit } from '../../js/views/units.js';
import { clockLabel, clockNoun, placeText } from '../../js/views/weights.js';
import { KIND } from './chart-theme.js';
import { LevelChart } from './level-chart.js';
import { functionSearch } from './name-search.js';
import { RULER_HEIGHT, drawBar, drawMarks, drawRuler, drawTornEnd } from './sequence-marks.js';

/** @import {TraceModel} from '../../js/model/trace-model.js' */
/** @import {Axis, SequenceLayout} from '../../js/views/sequence-layout.js' */
/** @import {Clock} from '../../js/trace/metadata.js' */
/** @import {Theme} from './chart-theme.js' */
/** @import {Box} from './level-painter.js' */
/** @import {ChartSource, Picture} from './level-chart.js' */
/** @import {Ruler} from './sequence-marks.js' */

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
 * @property {number} begin   @property {number} end event numbers, counted from the first event ever, or what the clock said
 */

/** What fills the screen at the deepest zoom: events, or what a clock goes on by. */
const LEAST = 8;

/** @type {ReadonlyMap<number, string>} */
const ENDINGS = new Map([
  [END.RUNNING, 'still running'],
  [END.CUT, 'still open when recording stopped'],
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
  /** What the axis is measured by; null: in events. @type {Clock | null} */
  #clock;
  /** The first span of each call, made when it is first asked for. @type {Int32Array | null} */
  #spans = null;
  /** @type {SequenceLayout} */
  layout;

  /** @param {SequenceData} data @param {Axis} axis */
  constructor({ model, names }, axis) {
    this.#model = model;
    this.#names = names;
    this.#text = new EventText(model, names, styles(false));
    this.#clock = axis === 'time' ? model.metadata.clock : null;
    this.layout = sequenceLayout(model, this.#clock ? 'time' : 'event');
  }

  /** What the axis means, in a few words. */
  get axisName() {
    return this.#clock ? clockNoun(this.#clock) : 'event number';
  }

  /** @returns {ChartSource} */
  get chart() {
    const { levels, whole, calls } = this.layout;
    return {
      levels,
      whole,
      least: LEAST,
      empty: 'No events recorded',
      label: (span) => this.name(calls[span]),
      fill: (span) => this.#fill(this.#model.calls.func[calls[span]]),
      lines: (span) => this.#lines(span),
      slotOf: (span) => span,
      group: (span) => this.#model.calls.func[calls[span]],
      above: (span) => this.spanOf(this.#model.calls.parent[calls[span]]),
      below: (span) => this.spanOf(this.#firstIn(calls[span])),
      decorate: (context, span, box, theme) => this.#decorate(context, span, box, theme),
      front: (context, picture) => this.#front(context, picture),
    };
  }

  /** @param {number} call */
  name(call) {
    return this.#names.name(this.#model.calls.func[call]);
  }

  /** The first span of a call. @param {number} call @returns {number} -1 for one that is not drawn, or for -1 */
  spanOf(call) {
    this.#spans ??= firstSpans(this.layout.calls, this.#model.calls.length);
    return this.#spans[call] ?? -1;
  }

  /** The first call inside of a call: calls are numbered as they begin. @param {number} call @returns {number} -1 for none */
  #firstIn(call) {
    const { depth, parent, length } = this.#model.calls;
    let next = call + 1;
    while (next < length && depth[next] > depth[call] && parent[next] !== call) next++;
    return next < length && parent[next] === call ? next : -1;
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
    return [this.#call(call), ...this.#times(span), this.#events(call), ...notes.filter((note) => note !== '')];
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

  /** What a call took, and what of it is in no call that was recorded; nothing without a clock. @param {number} span */
  #times(span) {
    if (!this.#clock) return [];
    const { levels, edges, calls } = this.layout;
    const { unit } = this.#clock;
    const took = levels.x1(span) - levels.x0(span);
    const isPart = (edges[span] & ~EDGE.OPEN) !== 0 || this.#model.calls.leave[calls[span]] < 0;
    const own = took - levels.widthInside(span);
    const text = isPart ? `${amountWithUnit(took, unit)} of it can be seen` : `total ${amountWithUnit(took, unit)}`;
    // Calls that were not recorded, of the host say, may be in it: it is not the self time of trees.
    return [`${text}, ${amountWithUnit(own, unit)} in no call below`, `${amountWithUnit(levels.x0(span), unit)} after the first event`];
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
    drawRuler(context, this.#ruler, picture);
  }

  /** Times are told from the first event that is left; the clock's own zero says nothing. @returns {Ruler} */
  get #ruler() {
    const clock = this.#clock;
    if (!clock) return { caption: 'event number', origin: this.layout.origin, text: grouped };
    return { caption: clockLabel(clock), origin: 0, text: (value, step, most) => placeText(value, clock.unit, step, most) };
  }
}

/** @param {Uint32Array} calls of each span @param {number} length calls @returns {Int32Array} -1: not drawn */
function firstSpans(calls, length) {
  const spans = new Int32Array(length).fill(-1);
  for (let span = calls.length - 1; span >= 0; span--) spans[calls[span]] = span;
  return spans;
}

export class SequenceView {
  #chart;
  /** @type {SequenceData | null} */
  #data = null;
  /** @type {SequenceSource | null} */
  #source = null;
  #text = '';
  /** @type {Axis} */
  #axis = 'time';
  /** Called when the user selects a call; null: none any more. @type {(call: SequenceCall | null) => void} */
  onSelect = () => {};

  /** @param {Element} container with a size of its own; it is filled */
  constructor(container) {
    const spoken = { role: 'sequence chart', label: 'Sequence of calls' };
    this.#chart = new LevelChart(container, spoken, (span) => this.onSelect(this.#call(span)));
    this.#chart.rows.header = RULER_HEIGHT;
  }

  /** Events side by side, or at their times; 'time' is meant where there are times. */
  get axis() {
    return this.#axis;
  }

  set axis(axis) {
    if (axis === this.#axis) return;
    this.#axis = axis;
    if (this.#data) this.show(this.#data);
  }

  /**
   * The part that is looked at stays where its events are still there; at the newest events, it stays with the newest.
   * @param {SequenceData} data
   */
  show(data) {
    const before = this.#source?.layout;
    const selected = this.selected;
    const { isWhole, from, to, whole, span } = this.#chart.settled;
    this.#data = data;
    this.#source = new SequenceSource(data, hasTimes(data.model) ? this.#axis : 'event');
    const { layout } = this.#source;
    const moved = before ? layout.origin - before.origin : 0;
    const kept = to === whole ? [layout.whole - span, layout.whole] : [from - moved, to - moved];
    const view = before && before.axis === layout.axis && !isWhole ? /** @type {[number, number]} */ (kept) : null;
    this.#chart.show(this.#source.chart, { view, selected: selected ? this.#find(selected) : -1 });
    const of = data.title ? ` of ${data.title}` : '';
    this.#chart.label = `Sequence of ${counted(data.model.calls.length, 'call')}${of} by ${this.#source.axisName}`;
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
    const { calls } = this.#data.model;
    const { levels, origin, calls: ofSpan } = this.#source.layout;
    const call = ofSpan[span];
    const [begin, end] = [levels.x0(span) + origin, levels.x1(span) + origin];
    return { call, func: calls.func[call], name: this.#source.name(call), begin, end };
  }

  /** The span of a call of an older model. @param {SequenceCall} call @returns {number} -1 when it is gone */
  #find({ func, begin }) {
    if (!this.#source || !this.#data) return -1;
    const { calls } = this.#data.model;
    const { levels, origin, calls: ofSpan } = this.#source.layout;
    for (let span = 0; span < ofSpan.length; span++) {
      if (levels.x0(span) + origin === begin && calls.func[ofSpan[span]] === func) return span;
    }
    return -1;
  }
}
