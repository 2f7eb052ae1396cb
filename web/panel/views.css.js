// What is inside of the tabs: tables, logs, histograms, modules, callers and callees.
export const VIEWS = `
.view { flex: 1; min-block-size: 0; min-inline-size: 0; display: flex; flex-direction: column; container-type: inline-size; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 6px 10px; flex: none; }
.tools input[type=search] { inline-size: 16em; flex: 0 1 auto; }
.tools select { max-inline-size: min(27em, 100%); }
.notes { flex: none; padding: 4px 10px; border-block-start: 1px solid var(--line); font-size: 12px; color: var(--dim); background: var(--raised); max-block-size: 6.5em; overflow: auto; overflow-wrap: anywhere; }
.empty { margin: auto; padding: 24px; text-align: center; max-inline-size: 44ch; color: var(--dim); }
.empty-title { font-size: 15px; font-weight: 600; color: var(--text); margin-block-end: 4px; }
.tree, .log { position: relative; }
.rows-space { position: relative; }
.rows-shown { position: absolute; inset: 0 0 auto 0; }

.tree { flex: 1; min-block-size: 0; overflow: auto; font-variant-numeric: tabular-nums; }
.tree-head-group { position: sticky; inset-block-start: 0; z-index: 2; background: var(--back); border-block-end: 1px solid var(--line); }
.tree-head, .tree-row { display: grid; grid-template-columns: 8.5em 8em minmax(0, 1fr); }
.tree.timed :is(.tree-head, .tree-row) { grid-template-columns: 7.5em 6.5em var(--calls) 6.5em 6.5em 6.5em minmax(0, 1fr); }
.tree.report :is(.tree-head-group, .tree-head, .tree-row) { grid-template-columns: var(--columns); min-inline-size: var(--least); }
.tree.report .tree-head { background: var(--back); }
.tree.report .cell.name { position: sticky; inset-inline-end: 0; background: inherit; border-inline-start: 1px solid var(--line); }
.tree.timed-callers :is(.tree-head, .tree-row) { grid-template-columns: 7.5em var(--calls) minmax(0, 1fr); }
.tree-head .cell:not(.name) { text-align: end; }
.tree-head button { background: none; border: 0; padding: 0; font-size: 12px; color: var(--dim); }
.tree-head button:hover { color: var(--text); }
.tree-head [aria-sort="descending"] button::after { content: " ↓"; }
.tree-head [aria-sort="ascending"] button::after { content: " ↑"; }
.tree-head [aria-sort$="scending"] button { color: var(--text); font-weight: 600; }
.tree-row { block-size: 22px; line-height: 22px; cursor: default; background: var(--back); }
.tree-row:hover { background: var(--hover); }
.tree-row[aria-selected="true"] { background: var(--accent-back); }
.tree:focus-visible .tree-row[aria-selected="true"] { outline: 2px solid var(--accent); outline-offset: -2px; }
.cell { padding-inline: 10px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; position: relative; }
.cell.number { text-align: end; }
.cell.number.none { color: var(--dim); }
.cell.total span:not(.share) { position: relative; }
.share { position: absolute; inset: 2px auto 2px 0; background: var(--share); border-radius: 0 3px 3px 0; }
.tree-row[aria-selected="true"] .share { background: none; }
.tree-row .cell.name { color: inherit; }
.twisty { display: inline-block; inline-size: 16px; color: var(--dim); text-align: center; cursor: pointer; }
[aria-expanded="true"] .twisty::before { content: "▾"; }
[aria-expanded="false"] .twisty::before { content: "▸"; }
.mark { margin-inline-start: 8px; padding: 0 6px; border-radius: 4px; font-size: 11px; background: var(--warn-back); color: var(--warn); font-family: var(--sans); }
.mark.quiet { background: var(--hover); color: var(--dim); }

.log { flex: 1; min-block-size: 0; overflow: auto; padding-block: 2px; border-block-start: 1px solid var(--line); }
.log .rows-shown { inline-size: max-content; min-inline-size: 100%; }
.line { block-size: 19px; line-height: 19px; white-space: pre; padding-inline: 10px; }
.line:hover { background: var(--hover); }
.text { flex: 1; overflow: auto; padding: 10px; line-height: 1.5; }

.chart { flex: 1; min-block-size: 0; min-inline-size: 0; position: relative; border-block-start: 1px solid var(--line); }
.legend { flex: none; display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 3px 10px; font-size: 12px; color: var(--dim); border-block-start: 1px solid var(--line); }
.legend-entry { display: inline-flex; align-items: center; gap: 5px; }
.swatch { inline-size: 12px; block-size: 12px; border-radius: 2px; flex: none; }
.swatch.own { background: oklch(var(--fill-lightness) 0.11 var(--wt-chart-own-hue, 58)); }
.swatch.import { background: oklch(var(--fill-lightness) 0.11 var(--wt-chart-import-hue, 235)); }
.swatch.dense { background: oklch(var(--dense-lightness) 0.03 58); }

.figures { flex: 1; min-block-size: 0; overflow: auto; padding: 12px 14px; display: flex; flex-wrap: wrap; gap: 22px 36px; align-content: flex-start; }
.figure { border-spacing: 0; border-collapse: collapse; flex: 1 1 26em; max-inline-size: 52em; font-variant-numeric: tabular-nums; font-size: 12px; align-self: flex-start; }
.figure caption { text-align: start; padding-block-end: 6px; }
.figure caption .function { font-weight: 600; }
.figure thead th { font-weight: 400; color: var(--dim); padding: 0 0 3px; text-align: start; }
.figure thead th:first-child { text-align: end; padding-inline-end: 8px; }
.figure thead th.count, .figure .count { text-align: end; inline-size: 6em; }
.figure tbody th { text-align: end; font-weight: 400; inline-size: 6.5em; padding: 0 8px 0 0; white-space: nowrap; line-height: 18px; vertical-align: top; }
.figure tbody td { padding: 0; line-height: 18px; vertical-align: top; }
.figure .plot { border-inline-start: 1px solid var(--line); }
.figure .bar { display: block; block-size: 12px; margin-block: 3px; min-inline-size: 2px; border-radius: 0 3px 3px 0; background: var(--bar); }
.figure tr.none { color: var(--dim); }
.figure tbody tr:hover { background: var(--hover); }
.figure .skipped th { color: var(--dim); }

.modules { flex: 1; min-block-size: 0; overflow: auto; padding: 12px 14px; }
.cards { display: flex; flex-wrap: wrap; gap: 12px; }
.card { flex: 1 1 22em; max-inline-size: 40em; border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px 12px; }
.card h3 { font: 600 13px/1.4 var(--sans); margin-block-end: 6px; overflow-wrap: anywhere; }
.card dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; font-variant-numeric: tabular-nums; }
.card dt { color: var(--dim); }
.hint { margin-block-start: 8px; padding: 6px 9px; border-radius: 5px; background: var(--warn-back); color: var(--warn); font-size: 12px; }
.warnings { margin-block-end: 14px; padding: 8px 14px; border-radius: 8px; background: var(--warn-back); color: var(--warn); overflow-wrap: anywhere; }
.warnings h3 { font: 600 13px/1.4 var(--sans); margin-block-end: 2px; }

.neighbours { inline-size: 260px; flex: none; overflow: auto; border-inline-start: 1px solid var(--line); background: var(--raised); padding: 8px 10px 12px; font-variant-numeric: tabular-nums; }
.neighbours-head { display: flex; gap: 6px; align-items: flex-start; }
.neighbours h2 { flex: 1; font: 600 12px/1.4 var(--mono); overflow-wrap: anywhere; padding-block-start: 2px; }
.neighbours h3 { font: 600 12px/1.4 var(--sans); margin-block: 10px 2px; }
.neighbours li { display: flex; align-items: baseline; gap: 8px; line-height: 20px; min-inline-size: 0; }
.neighbours li > :nth-child(2) { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0; }
.neighbours .count { position: relative; flex: none; inline-size: 6em; text-align: end; padding-inline-end: 4px; }
.neighbours .count span:not(.share) { position: relative; }
.neighbours .calls { margin-inline-start: auto; flex: none; font-size: 12px; }
.figure caption button { font: 600 12px var(--mono); }
.link { background: none; border: 0; padding: 0; text-align: start; }
.link:hover { text-decoration: underline; }
`;
