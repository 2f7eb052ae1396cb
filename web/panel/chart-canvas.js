// A canvas that fills its container, sharp at any scale, drawn when something has changed and at no other time; with a tooltip,
// and a text for those who cannot see it. What is drawn is left to its owner. Styles are set through the CSSOM: pages may
// forbid others.

const TIP_GAP = 14;
const HIDDEN = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)', whiteSpace: 'nowrap' };
const FILLING = { position: 'absolute', inset: '0', width: '100%', height: '100%' };
const TIP = {
  position: 'absolute',
  left: '0',
  top: '0',
  zIndex: '1',
  boxSizing: 'border-box',
  maxWidth: 'min(30rem, 100%)',
  padding: '0.35rem 0.55rem',
  borderRadius: '4px',
  border: '1px solid',
  font: '12px/1.45 system-ui, sans-serif',
  overflowWrap: 'anywhere',
  pointerEvents: 'none',
  boxShadow: '0 2px 8px rgb(0 0 0 / 0.22)',
};

/**
 * @param {string} tag
 * @param {Readonly<Record<string, string>>} style
 * @param {Readonly<Record<string, string>>} [attributes]
 */
function element(tag, style, attributes = {}) {
  const made = document.createElement(tag);
  Object.assign(made.style, style);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const KEYS =
  'Arrow keys go to the caller, the called and what is beside. Enter zooms to what is selected, plus and minus zoom, ' +
  'Escape shows all again, Page Up and Page Down scroll.';

/** How many there have been: their parts need names of their own. */
let charts = 0;

export class ChartCanvas {
  #frame = element('div', { position: 'relative', width: '100%', height: '100%', overflow: 'hidden' });
  #live = element('div', HIDDEN, { 'aria-live': 'polite' });
  #help = element('div', HIDDEN, { id: `wt-chart-help-${++charts}` });
  #tip = element('div', { ...TIP, display: 'none' }, { 'aria-hidden': 'true' });
  #observer = new ResizeObserver((entries) => this.#resize(entries[entries.length - 1]));
  #draw;
  #request = 0;
  /** Of the content, in CSS pixels. */
  width = 0;
  height = 0;
  /** Device pixels to one of these. */
  ratio = 1;

  /**
   * @param {Element} container with a size of its own
   * @param {{role: string, label: string}} spoken what kind of thing it is, and its name
   * @param {(time: number) => void} draw
   */
  constructor(container, { role, label }, draw) {
    this.#draw = draw;
    this.canvas = /** @type {HTMLCanvasElement} */ (
      element('canvas', { ...FILLING, display: 'block', touchAction: 'none', outlineOffset: '-2px' }, {
        tabindex: '0',
        role: 'application',
        'aria-roledescription': role,
        'aria-label': label,
        'aria-describedby': this.#help.id,
      })
    );
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d', { alpha: false }));
    this.#help.textContent = KEYS;
    this.#frame.append(this.canvas, this.#tip, this.#live, this.#help);
    container.append(this.#frame);
    this.#observe();
  }

  #observe() {
    try {
      this.#observer.observe(this.canvas, { box: 'device-pixel-content-box' });
    } catch {
      this.#observer.observe(this.canvas);
    }
  }

  /** @param {ResizeObserverEntry} entry */
  #resize({ contentRect, devicePixelContentBoxSize: [exact] = [] }) {
    const { width, height } = contentRect;
    if (width === 0 || height === 0) return;
    this.width = width;
    this.height = height;
    this.canvas.width = exact?.inlineSize ?? Math.round(width * devicePixelRatio);
    this.canvas.height = exact?.blockSize ?? Math.round(height * devicePixelRatio);
    this.ratio = this.canvas.width / width;
    // At once: a canvas whose size was set is empty until it is drawn, and this is before the next paint.
    this.#drawNow(performance.now());
  }

  /** Something has changed: it is drawn with the next frame. */
  invalidate() {
    if (this.#request === 0) this.#request = requestAnimationFrame((time) => this.#drawNow(time));
  }

  /** @param {number} time */
  #drawNow(time) {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    if (this.width > 0) this.#draw(time);
  }

  /** @param {string} label */
  set label(label) {
    this.canvas.setAttribute('aria-label', label);
  }

  /** Tells a screen reader. @param {string} text */
  say(text) {
    if (this.#live.textContent !== text) this.#live.textContent = text;
  }

  /**
   * @param {readonly string[]} lines the first one is the name
   * @param {{x: number, y: number}} pointer
   * @param {{text: string, surface: string, border: string}} theme
   */
  showTip([name, ...lines], { x, y }, { text, surface, border }) {
    const tip = this.#tip;
    tip.replaceChildren(element('strong', {}), ...lines.map(() => element('div', {})));
    [name, ...lines].forEach((line, i) => (tip.children[i].textContent = line));
    Object.assign(tip.style, { display: 'block', color: text, background: surface, borderColor: border });
    const { offsetWidth, offsetHeight } = tip;
    const left = x + TIP_GAP + offsetWidth <= this.width ? x + TIP_GAP : x - TIP_GAP - offsetWidth;
    const top = y + TIP_GAP + offsetHeight <= this.height ? y + TIP_GAP : y - TIP_GAP - offsetHeight;
    const inside = (/** @type {number} */ at, /** @type {number} */ room) => Math.round(Math.min(Math.max(0, at), Math.max(0, room)));
    tip.style.transform = `translate(${inside(left, this.width - offsetWidth)}px, ${inside(top, this.height - offsetHeight)}px)`;
  }

  hideTip() {
    this.#tip.style.display = 'none';
  }

  destroy() {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#request);
    this.#frame.remove();
  }
}
