// Histograms as tables with drawn bars, the rows that the text display has.
import { histogramFigures } from '../../js/views/histogram.js';
import { counted, grouped } from '../../js/views/text.js';
import { h } from './dom.js';
import { histogramNotes } from './notes.js';
import { emptyState, notesBar } from './view-parts.js';

/** @import {Figure, FigureRow} from '../../js/views/histogram.js' */
/** @import {Shown} from './shown.js' */

const MOST_FIGURES = 50;

/** @param {bigint} part @param {bigint} whole in percent, with a digit behind the point */
function percent(part, whole) {
  return Number((part * 1000n) / whole) / 10;
}

/** @param {Figure} figure @param {FigureRow} row @param {bigint} highest */
function figureRow({ total, counts = 'value' }, row, highest) {
  if (!row) return h('tr', { class: 'skipped' }, h('th', { scope: 'row' }, '…'), h('td', {}), h('td', {}));
  const bar = h('span', { class: 'bar' });
  bar.style.inlineSize = `${percent(row.count, highest)}%`;
  const share = `${percent(row.count, total)} % of ${counted(total, counts)}`;
  return h(
    'tr',
    { title: share, class: row.count > 0n ? null : 'none' },
    h('th', { scope: 'row' }, row.label),
    h('td', { class: 'plot' }, row.count > 0n ? bar : null),
    h('td', { class: 'count' }, grouped(row.count)),
  );
}

/** @param {Figure} figure @param {(func: number) => void} onSelect */
function figureTable(figure, onSelect) {
  const highest = figure.rows.reduce((most, row) => (row && row.count > most ? row.count : most), 1n);
  const onclick = () => onSelect(figure.func);
  const title = h('button', { type: 'button', class: 'link function', title: 'Show callers and callees', onclick }, figure.title);
  const count = h('span', { class: 'dim' }, counted(figure.total, figure.counts ?? 'value'));
  const summary = figure.summary ? h('div', { class: 'dim' }, figure.summary) : null;
  return h(
    'table',
    { class: 'figure' },
    h('caption', {}, title, ' ', count, summary),
    h(
      'thead',
      {},
      h('tr', {}, h('th', { scope: 'col' }, figure.counts === 'call' ? 'took' : 'value'), h('th', { scope: 'col' }, 'distribution'), h('th', { scope: 'col', class: 'count' }, 'count')),
    ),
    h('tbody', {}, ...figure.rows.map((row) => figureRow(figure, row, highest))),
  );
}

export class HistogramView {
  #figures = h('div', { class: 'figures', tabindex: 0, role: 'region', 'aria-label': 'Histograms' });
  #empty = emptyState();
  #notes = notesBar();

  #onSelect;

  /** @param {(func: number) => void} onSelect */
  constructor(onSelect) {
    this.#onSelect = onSelect;
    this.element = h('div', { class: 'view' }, this.#figures, this.#empty.element, this.#notes.element);
  }

  /** @param {Shown} shown */
  show(shown) {
    const figures = histogramFigures(shown.model, shown.names);
    this.#explain(shown, figures.length === 0);
    this.#figures.hidden = figures.length === 0;
    this.#figures.replaceChildren(...figures.slice(0, MOST_FIGURES).map((figure) => figureTable(figure, this.#onSelect)));
    const more = figures.length - MOST_FIGURES;
    const without = shown.metadata.histograms.length + shown.metadata.durations.length - figures.length;
    this.#notes.show([
      ...(more > 0 ? [`${counted(more, 'more histogram')} left out.`] : []),
      ...(without > 0 && figures.length > 0 ? [`${counted(without, 'more histogram')} without values.`] : []),
      ...histogramNotes(shown),
    ]);
  }

  /** @param {Shown} shown @param {boolean} isEmpty */
  #explain({ metadata }, isEmpty) {
    const text =
      metadata.histograms.length + metadata.durations.length > 0
        ? 'Bars show up here as soon as the program calls one of the traced functions.'
        : 'Histograms count values, or how long calls took. Trace arg(0, malloc), for example, ret(read) or duration(parse).';
    this.#empty.show(isEmpty && 'No values recorded yet', text);
  }
}
