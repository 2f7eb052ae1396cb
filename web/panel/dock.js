// Where the panel stands and how large it is: at the right or at the bottom, resized by dragging its edge or by arrow keys on
// it; or as the whole page, in reports.
import { h } from './dom.js';
import { remember, remembered } from './remembered.js';

/** @typedef {'right' | 'bottom' | 'page'} Dock */

const STEP = 24;
const LEAST = 240;
const SIZES = Object.freeze({ right: 560, bottom: 380 });

/** @param {string | null | undefined} text @returns {Dock} */
function dockOf(text) {
  return text === 'bottom' || text === 'page' ? text : 'right';
}

export class DockFrame {
  #host;
  /** @type {Dock} */
  #dock = 'right';

  /** @param {HTMLElement} host the custom element */
  constructor(host) {
    this.#host = host;
    this.handle = h('div', {
      class: 'handle',
      role: 'separator',
      tabindex: 0,
      title: 'Drag, or use the arrow keys, to resize',
      onpointerdown: (event) => this.#drag(event),
      onkeydown: (event) => this.#key(event),
    });
    addEventListener('resize', () => this.#place());
  }

  get dock() {
    return this.#dock;
  }

  /** What the attribute says, unless something else was chosen before. @param {string | null} attribute */
  begin(attribute) {
    const wanted = dockOf(attribute);
    this.#dock = wanted === 'page' ? wanted : dockOf(remembered().dock ?? attribute);
    this.#place();
  }

  /** @param {string | null} attribute */
  set(attribute) {
    this.#dock = dockOf(attribute);
    if (this.#dock !== 'page') remember({ dock: this.#dock });
    this.#place();
  }

  get #isRight() {
    return this.#dock === 'right';
  }

  get #most() {
    return Math.max(LEAST, (this.#isRight ? innerWidth : innerHeight) - 40);
  }

  get #size() {
    const size = this.#dock === 'page' ? 0 : (remembered().size?.[this.#dock] ?? SIZES[this.#dock]);
    return Math.round(Math.min(this.#most, Math.max(LEAST, size)));
  }

  /** @param {number} size */
  #resize(size) {
    remember({ size: { ...remembered().size, [this.#dock]: Math.min(this.#most, Math.max(LEAST, size)) } });
    this.#place();
  }

  #place() {
    this.#host.dataset.dock = this.#dock;
    this.#host.style.setProperty('--size', `${this.#size}px`);
    this.handle.hidden = this.#dock === 'page';
    for (const [name, value] of Object.entries({
      'aria-orientation': this.#isRight ? 'vertical' : 'horizontal',
      'aria-label': this.#isRight ? 'Width of the panel' : 'Height of the panel',
      'aria-valuemin': LEAST,
      'aria-valuemax': this.#most,
      'aria-valuenow': this.#size,
    }))
      this.handle.setAttribute(name, String(value));
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    event.preventDefault();
    this.handle.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ { clientX, clientY }) =>
      this.#resize(this.#isRight ? innerWidth - clientX : innerHeight - clientY);
    this.handle.addEventListener('pointermove', move);
    this.handle.addEventListener('lostpointercapture', () => this.handle.removeEventListener('pointermove', move), { once: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const [larger, smaller] = this.#isRight ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key === larger) this.#resize(this.#size + STEP);
    else if (event.key === smaller) this.#resize(this.#size - STEP);
    else if (event.key === 'Home') this.#resize(LEAST);
    else if (event.key === 'End') this.#resize(this.#most);
    else return;
    event.preventDefault();
  }
}
