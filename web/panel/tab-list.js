// The tabs, a row each: what it is called, what draws it, and which text display says the same.
import { FlameTab } from './flame-tab.js';
import { HistogramView } from './histogram-view.js';
import { LogView } from './log-view.js';
import { ModulesView } from './modules-view.js';
import { ReportView } from './report-view.js';
import { SequenceTab } from './sequence-tab.js';
import { TextView } from './text-view.js';
import { TreeView } from './tree-view.js';

/** @import {ReportKind} from '../../js/views/report.js' */
/** @import {Shown} from './shown.js' */

/**
 * @typedef {object} TabView
 * @property {HTMLElement} element
 * @property {(shown: Shown) => void} show
 *
 * @typedef {object} TabRow
 * @property {string} id
 * @property {string} title
 * @property {(select: (func: number | null) => void) => TabView} make called when the tab is first looked at
 * @property {ReportKind} kind of the text that is copied
 */

/** Views of a session. @type {readonly TabRow[]} */
export const SESSION_TABS = Object.freeze([
  { id: 'flame', title: 'Flame', make: (select) => new FlameTab(select), kind: 'tree' },
  { id: 'sequence', title: 'Sequence', make: (select) => new SequenceTab(select), kind: 'nested' },
  { id: 'report', title: 'Report', make: (select) => new ReportView(select), kind: 'report' },
  { id: 'tree', title: 'Tree', make: (select) => new TreeView(false, select), kind: 'tree' },
  { id: 'callers', title: 'Callers', make: (select) => new TreeView(true, select), kind: 'inverted' },
  { id: 'log', title: 'Log', make: () => new LogView(false), kind: 'log' },
  { id: 'nested', title: 'Nested', make: () => new LogView(true), kind: 'nested' },
  { id: 'histogram', title: 'Histograms', make: (select) => new HistogramView(select), kind: 'histogram' },
]);

/** Views of the whole program. */
export const MODULES_TAB = Object.freeze({ id: 'modules', title: 'Modules', make: () => new ModulesView() });
export const TRAPS_TAB = Object.freeze({ id: 'traps', title: 'Traps', make: () => new TextView() });
