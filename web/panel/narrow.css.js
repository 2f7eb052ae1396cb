// What gives way where the panel is narrow. Comes last: it overrides the others.
export const NARROW = `
@container (inline-size < 700px) {
  .tree.timed :is(.tree-head, .tree-row) { grid-template-columns: 6.5em 6em var(--calls) minmax(0, 1fr); }
  .tree.timed .cell:is(.avg, .min, .max) { display: none; }
}
@container (inline-size < 620px) {
  .main { flex-direction: column; }
  .neighbours { inline-size: auto; max-block-size: 40%; border-inline-start: 0; border-block-start: 1px solid var(--line); }
  .neighbour-lists { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 12px; }
  .button.copy span, .button.clear span, .button.save .icon { display: none; }
  .button { padding-inline: 5px; }
  .tree.report :is(.tree-head-group, .tree-head, .tree-row) { grid-template-columns: var(--narrow-columns); min-inline-size: 0; }
  .tree.report .cell:is(.part, .avg, .min, .max, .p50, .p90, .p99) { display: none; }
  .clock { flex-basis: 100%; }
  .tabs { padding-inline: 4px; }
  .tabs button { padding-inline: 7px; }
}
@container (inline-size < 440px) {
  .neighbour-lists { grid-template-columns: minmax(0, 1fr); }
  .tree.report :is(.tree-head, .tree-row) { grid-template-columns: var(--narrowest-columns); }
  .tree.report .cell.wall { display: none; }
  .toolbar { flex-wrap: wrap; }
  .probe-controls { flex-wrap: wrap; }
  .probe-input { flex-basis: 100%; }
}
`;
