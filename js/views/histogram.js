// Histograms as dtrace prints them: a row for each power of two, rows of their own for 0 and 1, negative rows. Those of durations
// have the clock's unit at each row.
//     value  ------------- Distribution ------------- count
//        16 |                                         0
//        32 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@       169
import { durationHistogram, percentiles } from '../model/durations.js';
import { buildHistogram, isFloat } from '../model/histogram.js';
import { PERCENTS } from '../model/profile.js';
import { styles } from './ansi.js';
import { counted, joinLines, lossNotes } from './text.js';
import { amount, clockLine } from './units.js';

/** @import {Histogram, HistogramRow} from '../model/histogram.js' */
/** @import {TraceModel} from '../model/trace-model.js' */
/** @import {HistogramSource} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {ViewOptions} from './log.js' */

/**
 * @typedef {{label: string, count: bigint} | null} FigureRow null: a long run of empty rows is left out there
 *
 * @typedef {object} Figure
 * @property {string} title which values
 * @property {number} func
 * @property {bigint} total values
 * @property {'value' | 'call'} [counts] what they are of; values when left out
 * @property {string} [summary] figures of single calls
 * @property {FigureRow[]} rows from the smallest value to the largest, NaN last
 */

const HISTOGRAM_LIMIT = 1000;

const BAR = 40;
const TITLE = '------------- Distribution -------------';
// Longer runs of empty rows become one line.
const MAX_EMPTY = 8;
const LONGEST_FRACTION = 10;
// Exponents of the outermost buckets: guest-runtime/include/wtr_abi.h.
const SMALLEST = -64;
const LARGEST = 63;

/** The outermost rows of floating-point values hold all that lies beyond. @param {HistogramRow} row @param {boolean} float */
function rowLabel({ sign, exponent }, float) {
  if (sign === 0) return '0';
  if (float && exponent === LARGEST) return sign < 0 ? `<=-2^${LARGEST}` : `>=2^${LARGEST}`;
  if (float && exponent === SMALLEST) return sign < 0 ? `>-2^${SMALLEST + 1}` : `<2^${SMALLEST + 1}`;
  const magnitude = exponent >= 0 ? String(2n ** BigInt(exponent)) : fraction(exponent);
  return sign < 0 ? `-${magnitude}` : magnitude;
}

/** @param {number} exponent negative */
function fraction(exponent) {
  const text = String(2 ** exponent);
  return text.length <= LONGEST_FRACTION && !text.includes('e') ? text : `2^${exponent}`;
}

/**
 * @param {HistogramSource} source
 * @param {readonly HistogramSource[]} all of the module: of several results of a function each is told by its number
 * @param {Pick<FunctionNames, 'name'>} names
 */
function histogramTitle({ func, what, index, type }, all, names) {
  if (what === 'grow') return 'memory.grow, in pages';
  const name = names.name(func);
  if (what === 'arg') return `arg(${index}, ${name})`;
  const several = all.some((other) => other.func === func && other.what === what && other.index !== index);
  return several ? `ret(${name}), result ${index} (${type})` : `ret(${name})`;
}

/** Puts null where a long run of empty rows is left out. @param {HistogramRow[]} rows @param {boolean} float */
function withoutGaps(rows, float) {
  /** @type {(HistogramRow | null)[]} */
  const kept = [];
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (end < rows.length && rows[end].count === 0n) end++;
    if (end - i > MAX_EMPTY) kept.push(...(float ? [null] : [rows[i], null, rows[end - 1]]));
    else kept.push(...rows.slice(i, end));
    if (end < rows.length) kept.push(rows[end]);
    i = end + 1;
  }
  return kept;
}

/**
 * @param {Histogram} histogram
 * @param {boolean} float
 * @returns {FigureRow[]}
 */
function figureRows({ rows, nan }, float) {
  const shown = withoutGaps(rows, float).map((row) => row && { label: rowLabel(row, float), count: row.count });
  return nan > 0n ? [...shown, { label: 'NaN', count: nan }] : shown;
}

/** @param {Figure} figure @returns {string[]} */
function plot({ rows, total, counts }) {
  const heading = counts === 'call' ? 'took' : 'value';
  const labels = rows.map((row) => (row ? row.label : '...'));
  const width = labels.reduce((most, label) => Math.max(most, label.length), heading.length);
  const line = (/** @type {string} */ label, /** @type {bigint} */ count) => {
    const bar = '@'.repeat(Number((BigInt(BAR) * count) / total));
    return `${label.padStart(width)} |${bar.padEnd(BAR)} ${count}`;
  };
  const lines = rows.map((row) => (row ? line(row.label, row.count) : '...'.padStart(width)));
  return [`${heading.padStart(width)}  ${TITLE} count`, ...lines];
}

/**
 * How long calls took, function by function. Percentiles are those of the report, which knows more than the buckets where there is a tree.
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @returns {Figure[]}
 */
function durationFigures(model, names) {
  const { snapshot, metadata } = model;
  const { clock, durations } = metadata;
  if (!clock || durations.length === 0) return [];
  const known = new Map(model.profile().rows.map(({ func, time }) => [func, time?.percentiles]));
  return durations.slice(0, snapshot.durations.length).map((func, i) => {
    const { total, rows } = durationHistogram(snapshot.durations[i]);
    const found = known.get(func) ?? percentiles(snapshot.durations[i], PERCENTS);
    return {
      title: `duration(${names.name(func)}) in ${clock.unit}`,
      func,
      total,
      counts: 'call',
      summary: PERCENTS.map((name, at) => `p${name} ${amount(found[at], clock.unit)}`).join(', '),
      rows: withoutGaps(rows, false).map((row) => row && { label: row.sign === 0 ? '0' : amount(2 ** row.exponent, clock.unit), count: row.count }),
    };
  });
}

/** Whether durations are there for the percentiles of the report only. @param {Pick<TraceModel, 'metadata'>} model */
function isAside({ metadata }) {
  return !metadata.trace.some((spec) => /^\s*duration\b/.test(spec));
}

/**
 * Histograms with values, those with most first, ready to be drawn; behind them durations that nobody asked for.
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @returns {Figure[]}
 */
export function histogramFigures(model, names) {
  const durations = durationFigures(model, names).filter(({ total }) => total > 0n);
  const most = (/** @type {Figure[]} */ figures) => figures.sort((a, b) => Number(b.total - a.total));
  const values = valueFigures(model, names);
  return isAside(model) ? [...most(values), ...most(durations)] : most([...durations, ...values]);
}

/**
 * @param {Pick<TraceModel, 'snapshot' | 'metadata'>} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @returns {Figure[]}
 */
function valueFigures({ snapshot, metadata }, names) {
  const all = metadata.histograms.slice(0, snapshot.histograms.length);
  return all
    .map((source, i) => ({ source, histogram: buildHistogram(snapshot.histograms[i], source.type) }))
    .filter(({ histogram }) => histogram.total > 0n)
    .map(({ source, histogram }) => ({
      title: histogramTitle(source, metadata.histograms, names),
      func: source.func,
      total: histogram.total,
      rows: figureRows(histogram, isFloat(source.type)),
    }));
}

/** Whole blocks up to the limit, the first one in any case. @param {string[][]} blocks @param {number} limit */
function fitting(blocks, limit) {
  let room = limit;
  const place = blocks.findIndex((block) => (room -= block.length) < 0);
  return blocks.slice(0, place < 0 ? blocks.length : Math.max(1, place));
}

/** @param {TraceModel} model @param {number} filled @param {number} shown */
function histogramNotes({ metadata, snapshot, stoppedFull }, filled, shown) {
  const notes = lossNotes({ dropped: snapshot.nodesDropped, stopped: stoppedFull });
  const empty = metadata.histograms.length + metadata.durations.length - filled;
  if (shown < filled)
    notes.unshift(`${counted(filled - shown, 'more histogram')} left out; a larger --limit shows more`);
  if (empty > 0 && filled > 0) notes.push(`${counted(empty, 'more histogram')} without values`);
  return notes;
}

/** @param {TraceModel} model */
function nothing({ metadata }) {
  if (metadata.durations.length > 0) return metadata.histograms.length > 0 ? 'no values and no calls that returned' : 'no calls that returned';
  return metadata.histograms.length > 0 ? 'no values' : 'no histogram was kept: the displays that were asked for do without';
}

/**
 * @param {TraceModel} model
 * @param {Pick<FunctionNames, 'name'>} names
 * @param {ViewOptions} [options] limit: lines; a histogram is shown whole or not at all
 * @returns {string}
 */
export function renderHistogram(model, names, { limit = HISTOGRAM_LIMIT, color, resolution } = {}) {
  const style = styles(color);
  const blocks = histogramFigures(model, names).map((figure) => {
    const title = `${figure.title}: ${counted(figure.total, figure.counts ?? 'value')}`;
    return [style.heading(title) + (figure.summary ? `, ${figure.summary}` : ''), ...plot(figure), ''];
  });
  const shown = fitting(blocks, limit);
  const notes = histogramNotes(model, blocks.length, shown.length).map((note) => style.dim(`(${note})`));
  const { clock, metadata } = model;
  const end = clock && metadata.durations.length > 0 ? [style.dim(clockLine(clock, resolution))] : [];
  return joinLines([...(shown.length > 0 ? shown.flat().slice(0, -1) : [nothing(model)]), ...notes, ...end]);
}
