// What the thread of a ticker does: stores the time, again and again, where modules record. Its text is the program of a worker,
// so it refers to nothing outside of itself.

/**
 * The memory of a module that wants the time, or, without a buffer, one that does no more.
 * @typedef {{id: string, buffer?: SharedArrayBuffer, origin?: number}} TickerMessage origin: of the time there, as performance.timeOrigin
 */

/**
 * @param {object} shared
 * @param {Int32Array} shared.control 0: messages that were posted; 1: the longest step; then the last steps, in nanoseconds
 * @param {number} shared.address of the word to keep the time in
 * @param {(take: (message: TickerMessage) => void, rests: boolean) => boolean} goOn hands over messages that have come; rests: there is
 *   nothing to do before one comes; false: it can only come when the loop ends
 * @returns {(message: TickerMessage) => void} takes a message and goes on, for who gets them as events
 */
export function tickerLoop({ control, address }, goOn) {
  const BASE = 2 ** 52;
  const STEP = 0.001; // milliseconds: more stores cost those who read, and the clock is no finer
  const LOOK = 1;
  const STEPS = control.length - 2;
  let step = 0;
  let last = 0;
  /** @type {Map<string, {word: Float64Array, ahead: number}>} */
  const known = new Map();
  /** @type {{word: Float64Array, ahead: number}[]} */
  let cells = [];

  const take = (/** @type {TickerMessage} */ { id, buffer, origin = 0 }) => {
    if (cells.length === 0) last = performance.now(); // nobody has waited for a step
    if (buffer) known.set(id, { word: new Float64Array(buffer, address, 1), ahead: performance.timeOrigin - origin });
    else known.delete(id);
    cells = [...known.values()];
  };

  const run = () => {
    for (let looked = performance.now(); ; ) {
      const now = performance.now();
      if (now - looked >= LOOK || cells.length === 0) {
        looked = now;
        if (!goOn(take, cells.length === 0)) return;
      }
      if (now - last < STEP) continue;
      for (const { word, ahead } of cells) {
        const time = BASE + Math.floor((now + ahead) * 1e6);
        if (time > word[0]) word[0] = time;
      }
      const took = Math.min((now - last) * 1e6, 2 ** 31 - 1);
      if (took > control[1] && cells.length > 0) control[1] = took;
      control[2 + step] = took;
      step = (step + 1) % STEPS;
      last = now;
    }
  };

  return (message) => {
    take(message);
    run();
  };
}
