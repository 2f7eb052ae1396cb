// A worker of which it is not known yet whether the page's policy lets it start. That shows in an event some time later; until
// then messages to it are held back, so that they can be given to another worker in its place.

export class PendingWorker {
  #worker;
  #makeOther;
  /** What was posted, each with what goes over to the worker. @type {{message: unknown, transfer: Transferable[]}[]} */
  #held = [];

  /** Whether the worker has begun, or another one in its place. */
  hasBegun = false;

  /**
   * @param {Worker} worker which the page has
   * @param {() => Worker} makeOther
   */
  constructor(worker, makeOther) {
    this.#worker = worker;
    this.#makeOther = makeOther;
    worker.postMessage = (/** @type {unknown} */ message, /** @type {Transferable[] | StructuredSerializeOptions | undefined} */ more) => {
      const transfer = Array.isArray(more) ? more : (more?.transfer ?? []);
      this.#held.push(structuredClone({ message, transfer }, { transfer }));
    };
  }

  /** The worker runs. */
  begin() {
    if (this.hasBegun) return;
    this.hasBegun = true;
    Reflect.deleteProperty(this.#worker, 'postMessage');
    this.#deliver(this.#worker);
  }

  /** It never will: another one runs for it, behind the object that the page has. @returns {Worker} the other one */
  replace() {
    this.hasBegun = true;
    const worker = this.#worker;
    const other = this.#makeOther();
    worker.postMessage = other.postMessage.bind(other);
    worker.terminate = other.terminate.bind(other);
    for (const type of ['message', 'messageerror', 'error']) {
      other.addEventListener(type, (event) => {
        if (!worker.dispatchEvent(copyOf(event))) event.preventDefault();
      });
    }
    this.#deliver(other);
    return other;
  }

  /** @param {Worker} target */
  #deliver(target) {
    for (const { message, transfer } of this.#held.splice(0)) target.postMessage(message, transfer);
  }
}

/** @param {Event} event @returns {Event} one that can be dispatched */
function copyOf(event) {
  if (event instanceof MessageEvent) {
    const { type, data, origin, lastEventId, ports } = event;
    return new MessageEvent(type, { data, origin, lastEventId, ports: [...ports] });
  }
  if (event instanceof ErrorEvent) {
    const { type, message, filename, lineno, colno, error, cancelable } = event;
    return new ErrorEvent(type, { message, filename, lineno, colno, error, cancelable });
  }
  return new Event(event.type, { cancelable: event.cancelable });
}
