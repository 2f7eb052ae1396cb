// Mouse, pen, fingers and wheel on a chart -> what is meant by them. Keys are left to the chart.

const CLICK_REACH = 4;
const WHEEL_ZOOM = 0.0022;
// What browsers report of a pinch on a touchpad is small.
const PINCH = 3;
const MOST_ZOOM = 0.4;
const LINE = 16;
const PAGE = 400;

/**
 * @typedef {object} ChartTarget what a chart can do; x and y are in CSS pixels from its left upper corner
 * @property {(factor: number, x: number) => void} zoom
 * @property {(right: number, down: number) => void} drag the content goes with the pointer
 * @property {(down: number) => boolean} scroll levels; false when all of them can be seen
 * @property {(x: number, y: number) => void} hover
 * @property {() => void} leave
 * @property {(x: number, y: number) => void} click
 * @property {(x: number, y: number) => void} focusAt
 *
 * @typedef {{x: number, y: number}} Point
 */

/** @param {Point} a @param {Point} b */
function middle(a, b) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.hypot(a.x - b.x, a.y - b.y) };
}

export class ChartInput {
  #canvas;
  #target;
  /** Where those pointers are that are down. @type {Map<number, Point>} */
  #down = new Map();
  /** Where the first of them went down. @type {Point} */
  #start = { x: 0, y: 0 };
  #dragging = false;
  #over = new AbortController();

  /** @param {HTMLCanvasElement} canvas @param {ChartTarget} target */
  constructor(canvas, target) {
    this.#canvas = canvas;
    this.#target = target;
    const { signal } = this.#over;
    canvas.addEventListener('pointerdown', (event) => this.#pointerDown(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#pointerMove(event), { signal });
    canvas.addEventListener('pointerup', (event) => this.#pointerUp(event), { signal });
    canvas.addEventListener('pointercancel', (event) => this.#forget(event.pointerId), { signal });
    canvas.addEventListener('pointerleave', () => target.leave(), { signal });
    canvas.addEventListener('dblclick', (event) => this.#doubleClick(event), { signal });
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
  }

  destroy() {
    this.#over.abort();
  }

  /** @param {MouseEvent} event @returns {Point} */
  #place(event) {
    const { left, top } = this.#canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    if (event.button !== 0) return;
    const place = this.#place(event);
    if (this.#down.size === 0) {
      this.#start = place;
      this.#dragging = false;
    } else {
      this.#beginDrag();
    }
    this.#down.set(event.pointerId, place);
  }

  #beginDrag() {
    this.#dragging = true;
    this.#target.leave();
    this.#canvas.style.cursor = 'grabbing';
    for (const id of this.#down.keys()) this.#canvas.setPointerCapture(id);
  }

  /** @param {PointerEvent} event */
  #pointerMove(event) {
    const place = this.#place(event);
    const before = this.#down.get(event.pointerId);
    if (!before) return this.#target.hover(place.x, place.y);
    const far = Math.hypot(place.x - this.#start.x, place.y - this.#start.y) >= CLICK_REACH;
    if (!this.#dragging && far) this.#beginDrag();
    if (!this.#dragging) return;
    const other = [...this.#down].find(([id]) => id !== event.pointerId)?.[1];
    this.#down.set(event.pointerId, place);
    if (other) this.#pinch(middle(before, other), middle(place, other));
    else this.#target.drag(place.x - before.x, place.y - before.y);
  }

  /** @param {Point & {distance: number}} before @param {Point & {distance: number}} after */
  #pinch(before, after) {
    this.#target.drag(after.x - before.x, after.y - before.y);
    if (before.distance > 0 && after.distance > 0) this.#target.zoom(after.distance / before.distance, after.x);
  }

  /** @param {PointerEvent} event */
  #pointerUp(event) {
    if (!this.#down.has(event.pointerId)) return;
    this.#forget(event.pointerId);
    if (!this.#dragging) this.#target.click(this.#start.x, this.#start.y);
  }

  /** @param {number} pointer */
  #forget(pointer) {
    this.#down.delete(pointer);
    if (this.#down.size === 0) this.#canvas.style.cursor = '';
  }

  /** @param {MouseEvent} event */
  #doubleClick(event) {
    const { x, y } = this.#place(event);
    this.#target.focusAt(x, y);
  }

  /** The wheel scrolls levels where some are hidden, and zooms otherwise, or with Ctrl (as pinching a touchpad does).
   * @param {WheelEvent} event */
  #wheel(event) {
    const unit = [1, LINE, PAGE][event.deltaMode] ?? 1;
    const [right, down] = [event.deltaX * unit, event.deltaY * unit];
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) return this.#zoom(event, down * PINCH);
    if (event.shiftKey) return this.#target.drag(-(right || down), 0);
    if (right !== 0) this.#target.drag(-right, 0);
    if (down !== 0 && Math.abs(down) > Math.abs(right) && !this.#target.scroll(down)) this.#zoom(event, down);
  }

  /** @param {WheelEvent} event @param {number} down */
  #zoom(event, down) {
    const turn = Math.min(Math.max(-down * WHEEL_ZOOM, -MOST_ZOOM), MOST_ZOOM);
    this.#target.zoom(Math.exp(turn), this.#place(event).x);
  }
}
