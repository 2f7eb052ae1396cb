// The log and the nested log: lines of the text displays, as many as are scrolled to. While it is scrolled to the end it
// stays there; a filter keeps the lines that have a text in them.
import { styles } from '../../js/views/ansi.js';
import { timeHeading } from '../../js/views/event-times.js';
import { logLines } from '../../js/views/log.js';
import { nestedReport } from '../../js/views/nested.js';
import { hasTimes } from '../../js/views/sequence-layout.js';
import { counted, grouped } from '../../js/views/text.js';
import { clockLabel } from '../../js/views/weights.js';
import { h } from './dom.js';
import { eventNotes } from './notes.js';
import { plainText, styledParts } from './styled-line.js';
import { emptyState, explainNoEvents, notesBar } from './view-parts.js';
import { VirtualRows } from './virtual-rows.js';

/** @import {Shown} from './shown.js' */

const ROW_HEIGHT = 19;
const LIVE_LINES = 2000;
const ALL_LINES = 100_000;

export class LogView {
  #nested;
  #list;
  #tools;
  #filter = '';
  /** A recording is read from its beginning, what is live at its end. */
  #grows = false;
  #count = h('span', { class: 'dim' });
  /** Lines that times make different are not folded, so they are shown when they are wanted. */
  #wantsTimes = h('input', { type: 'checkbox', onchange: () => this.#shown && this.show(this.#shown) });
  #times = h('label', {}, this.#wantsTimes, ' Times');
  #heading = h('div', { class: 'line dim', hidden: true });
  /** @type {Shown | null} */
  #shown = null;
  #notes = notesBar();
  #empty = emptyState();
  /** @type {string[]} */
  #lines = [];
  /** @type {string[]} */
  #kept = [];

  /** @param {boolean} nested */
  constructor(nested) {
    this.#nested = nested;
    const label = nested ? 'Calls and returns, nested' : 'Log of calls';
    const scroller = h('div', { class: 'log', tabindex: 0, role: 'region', 'aria-label': label });
    this.#list = new VirtualRows(scroller, { height: ROW_HEIGHT, row: (i) => this.#row(i) });
    const filter = h('input', {
      type: 'search',
      placeholder: 'Filter lines',
      'aria-label': 'Filter lines',
      oninput: () => this.#filterBy(filter.value),
    });
    const end = h('button', { type: 'button', class: 'small', onclick: () => this.#list.scrollToEnd() }, 'To the end');
    this.#tools = h('div', { class: 'tools' }, filter, this.#count, h('span', { class: 'gap' }), this.#times, end);
    this.element = h('div', { class: 'view' }, this.#tools, this.#heading, scroller, this.#empty.element, this.#notes.element);
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    const { model, resolution } = shown;
    const { clock } = model;
    this.#times.hidden = !hasTimes(model);
    const { lines, left, least, unfinished } = this.#linesOf(shown);
    this.#lines = lines;
    this.#heading.hidden = lines.length === 0 || !hasTimes(model) || !this.#wantsTimes.checked;
    this.#heading.textContent = clock && `${timeHeading(model, styles(false)).join('')} ${clockLabel(clock, resolution)}`;
    this.#grows ||= shown.live;
    explainNoEvents(this.#empty, shown, lines.length === 0);
    const older = left > 0 ? [`${counted(left, 'older line is', 'older lines are')} not shown.`] : [];
    const outer = least > 0 ? [`${counted(least, 'outer level')} not shown: their calls are older than these lines.`] : [];
    this.#notes.show([...unfinished.map(plainText), ...older, ...outer, ...eventNotes(shown)]);
    this.#refresh();
  }

  /** @param {Shown} shown @returns {{lines: string[], left: number, least: number, unfinished: string[]}} */
  #linesOf({ model, names, ending, live, metadata, isSum }) {
    if (isSum || !metadata.ring) return { lines: [], left: 0, least: 0, unfinished: [] };
    const options = { limit: live ? LIVE_LINES : ALL_LINES, color: true, ending, times: this.#wantsTimes.checked };
    if (this.#nested) return nestedReport(model, names, options);
    return { ...logLines(model, names, options), least: 0, unfinished: [] };
  }

  /** @param {string} text */
  #filterBy(text) {
    this.#filter = text.toLowerCase();
    this.#refresh();
  }

  #refresh() {
    const follows = this.#grows && this.#list.isAtEnd;
    const { length } = this.#lines;
    this.#kept = this.#filter ? this.#lines.filter((line) => plainText(line).toLowerCase().includes(this.#filter)) : this.#lines;
    const counts = this.#filter ? `${grouped(this.#kept.length)} of ${counted(length, 'line')}` : counted(length, 'line');
    this.#count.textContent = length > 0 ? counts : '';
    this.#list.element.hidden = this.#tools.hidden = length === 0;
    this.#list.show(this.#kept.length);
    if (follows) this.#list.scrollToEnd();
  }

  /** @param {number} index */
  #row(index) {
    const line = this.#kept[index];
    return h('div', { class: 'line' }, ...styledParts(line));
  }
}
