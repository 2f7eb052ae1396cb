// Colours and type, light and dark.
export const THEME = `
:host {
  all: initial;
  color-scheme: light dark;
  --back: #ffffff;
  --raised: #f5f6f8;
  --hover: #eceef2;
  --line: #dcdfe5;
  --text: #1b2027;
  --dim: #59626f;
  --accent: #5b3cc4;
  --accent-back: #ece7fb;
  --on-accent: #ffffff;
  --name: #1d4f91;
  --value: #8a4b08;
  --bad: #b3261e;
  --warn: #7a4f01;
  --warn-back: #fdf3dc;
  --bar: #8f78de;
  --share: #e6e0f8;
  --live: #b3261e;
  --fill-lightness: 0.83;
  --dense-lightness: 0.83;
  --shadow: 0 0 24px rgb(0 0 0 / 18%);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  --wt-chart-background: var(--back);
  --wt-chart-text: var(--text);
  --wt-chart-accent: var(--accent);
  --wt-chart-grid: var(--line);
  --wt-chart-surface: var(--raised);
  --wt-chart-border: var(--line);
  font: 13px/1.45 var(--sans);
  color: var(--text);
}
@media (prefers-color-scheme: dark) {
  :host {
    --back: #16181c;
    --raised: #1e2126;
    --hover: #282c33;
    --line: #343941;
    --text: #e5e8ec;
    --dim: #a1aab6;
    --accent: #b8a5ff;
    --accent-back: #322a52;
    --on-accent: #16181c;
    --name: #8ab8f5;
    --value: #e8b26a;
    --bad: #ff8f86;
    --warn: #f2c879;
    --warn-back: #352a12;
    --bar: #7a63cf;
    --share: #332c52;
    --live: #ff8f86;
    --fill-lightness: 0.68;
    --dense-lightness: 0.47;
    --shadow: 0 0 24px rgb(0 0 0 / 60%);
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, h3, p, ul, dl, dd, pre { margin: 0; padding: 0; }
ul { list-style: none; }
code, pre, .function, .line, .chip, .completions { font-family: var(--mono); font-size: 12px; }
.dim { color: var(--dim); }
.bad { color: var(--bad); }
.name { color: var(--name); }
.value { color: var(--value); }
.heading { font-weight: 600; }
.function { color: var(--name); }
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.icon { inline-size: 14px; block-size: 14px; fill: currentColor; flex: none; }
`;
