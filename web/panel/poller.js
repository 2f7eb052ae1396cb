// Does a job again and again, and leaves the page most of its time: a job that took long is done less often.

const LEAST = 250;
const MOST = 4000;
/** Milliseconds of pause for each millisecond of work. */
const PAUSE = 12;
/** An answer that does not come in time is taken up the next time. */
const PATIENCE = 400;

/** @param {number} milliseconds that the last job took @returns {number} milliseconds until the next */
export function pauseAfter(milliseconds) {
  return Math.min(MOST, Math.max(LEAST, milliseconds * PAUSE));
}

export class Poller {
  #prepare;
  #work;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #running = false;
  /** Nothing is prepared twice at a time. @type {Promise<void> | null} */
  #pending = null;

  /**
   * @param {() => Promise<void>} prepare may wait for others
   * @param {() => void} work is measured
   */
  constructor(prepare, work) {
    this.#prepare = prepare;
    this.#work = work;
  }

  /** @param {boolean} running */
  set running(running) {
    if (running === this.#running) return;
    this.#running = running;
    clearTimeout(this.#timer);
    if (running) this.#timer = setTimeout(() => this.#turn(), 0);
  }

  async #turn() {
    await this.#prepared();
    if (!this.#running) return;
    const start = performance.now();
    try {
      this.#work();
    } catch (error) {
      // A memory that another thread is writing to may be caught in between; the next look is a better one.
      console.warn(`wasm-trace: the panel was not updated: ${/** @type {Error} */ (error).message}`);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#turn(), pauseAfter(performance.now() - start));
  }

  #prepared() {
    const forget = () => {
      this.#pending = null;
    };
    this.#pending ??= this.#prepare().then(forget, forget);
    return Promise.race([this.#pending, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  }
}
