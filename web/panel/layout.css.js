// Where the panel stands in the page, and its frame: toolbar, probes, tabs, body, side.
export const LAYOUT = `
:host { position: fixed; z-index: 2147483000; inset: 0 0 0 auto; inline-size: min(var(--size), 100vw); }
:host([data-dock="bottom"]) { inset: auto 0 0 0; inline-size: auto; block-size: min(var(--size), 100vh); }
:host([data-dock="page"]) { inset: 0; inline-size: auto; block-size: auto; }
:host([data-hidden]) { inset: auto 12px 12px auto; inline-size: auto; block-size: auto; }
:host([hidden]) { display: none; }
.panel {
  block-size: 100%; display: flex; flex-direction: column; position: relative; overflow: hidden;
  background: var(--back); box-shadow: var(--shadow); container-type: inline-size;
}
:host([data-dock="page"]) .panel { box-shadow: none; }
.handle { position: absolute; z-index: 3; inset: 0 auto 0 0; inline-size: 6px; cursor: ew-resize; touch-action: none; }
.handle:hover, .handle:focus-visible { background: var(--accent); opacity: 0.5; }
:host([data-dock="bottom"]) .handle { inset: 0 0 auto 0; inline-size: auto; block-size: 6px; cursor: ns-resize; }
.toolbar { display: flex; align-items: center; gap: 4px; padding: 6px 10px 2px; }
.brand { font-weight: 650; letter-spacing: -0.01em; margin-inline-end: 2px; white-space: nowrap; }
.state { font-size: 11px; white-space: nowrap; padding: 0 7px; line-height: 18px; border-radius: 9px; background: var(--raised); color: var(--dim); margin-inline-end: 4px; }
.state.live::before { content: "●"; margin-inline-end: 4px; color: var(--live); font-size: 9px; vertical-align: 1px; }
.gap { flex: 1; }
.button, .small, .icon-button, .show {
  display: inline-flex; align-items: center; gap: 5px; border: 1px solid transparent; border-radius: 5px; background: none;
  padding: 3px 7px; line-height: 18px; white-space: nowrap;
}
.button.record { color: var(--live); }
.small { border-color: var(--line); background: var(--back); padding: 1px 8px; font-size: 12px; }
.icon-button { padding: 4px; color: var(--dim); }
.button:hover, .small:hover, .icon-button:hover { background: var(--hover); }
.show { background: var(--raised); border-color: var(--line); box-shadow: var(--shadow); padding: 5px 10px; border-radius: 8px; color: var(--text); }
.show:hover { background: var(--hover); }
select, input {
  border: 1px solid var(--line); border-radius: 5px; background: var(--back); padding: 2px 7px; line-height: 18px; min-inline-size: 0;
}
select { max-inline-size: 22em; text-overflow: ellipsis; }
.toolbar select { flex: 0 1 auto; }
.toolbar .button, .toolbar .icon-button { flex: none; }
.session { color: var(--dim); flex: 0 1 auto; min-inline-size: 3em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
input::placeholder { color: var(--dim); opacity: 1; }
.probes { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; padding: 4px 10px 6px; }
.chips { display: flex; flex-wrap: wrap; gap: 4px; }
.chip {
  display: inline-flex; align-items: center; gap: 2px; background: var(--accent-back); color: var(--text); border-radius: 5px;
  padding: 1px 7px; line-height: 20px; max-inline-size: 100%; overflow-wrap: anywhere;
}
.chip .icon-button { padding: 2px; margin-inline-end: -4px; color: inherit; }
.chip .icon { inline-size: 10px; block-size: 10px; }
.probe-controls { display: flex; gap: 4px; flex: 1 1 24em; min-inline-size: 0; }
.probe-controls .small { padding-block: 2px; }
.probe-input { position: relative; flex: 1; min-inline-size: 8em; }
.probe-input input { inline-size: 100%; font-family: var(--mono); font-size: 12px; }
.completions {
  position: absolute; z-index: 5; inset: calc(100% + 2px) auto auto 0; min-inline-size: 100%; max-inline-size: 34em; max-block-size: 16em;
  overflow: auto; background: var(--back); border: 1px solid var(--line); border-radius: 6px; box-shadow: var(--shadow); padding: 3px;
}
.completions li { padding: 1px 7px; border-radius: 4px; cursor: pointer; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.completions li[aria-selected="true"], .completions li:hover { background: var(--accent-back); }
.matches { flex-basis: 100%; font-size: 12px; color: var(--dim); }
.matches:empty, .message:empty { display: none; }
.matches.bad { color: var(--bad); }
.tabs { display: flex; overflow-x: auto; scrollbar-width: none; padding-inline: 6px; border-block-end: 1px solid var(--line); flex: none; }
.tabs button { background: none; border: 0; padding: 5px 9px 6px; color: var(--dim); white-space: nowrap; position: relative; }
.tabs button:hover { color: var(--text); }
.tabs button[aria-selected="true"] { color: var(--text); font-weight: 600; }
.tabs button[aria-selected="true"]::after {
  content: ""; position: absolute; inset: auto 6px -1px 6px; block-size: 2px; background: var(--accent); border-radius: 1px;
}
.badge { margin-inline-start: 5px; padding: 0 6px; border-radius: 8px; font-size: 11px; font-weight: 600; background: var(--warn-back); color: var(--warn); }
.main { flex: 1; min-block-size: 0; display: flex; }
.body { flex: 1; min-inline-size: 0; min-block-size: 0; display: flex; flex-direction: column; }
.message { position: absolute; z-index: 6; inset: auto 12px 12px auto; max-inline-size: calc(100% - 24px); padding: 6px 12px; border-radius: 6px; background: var(--text); color: var(--back); box-shadow: var(--shadow); }
`;
