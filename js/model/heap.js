// A priority queue: the item that comes before all others is taken out first.

/** @template T */
export class Heap {
  #before;
  /** @type {T[]} */
  #items = [];

  /** @param {(a: T, b: T) => boolean} before a strict order, in which no two items are equal where that matters */
  constructor(before) {
    this.#before = before;
  }

  get length() {
    return this.#items.length;
  }

  /** @param {T} item */
  push(item) {
    const items = this.#items;
    let place = items.length;
    for (let above = (place - 1) >> 1; place > 0 && this.#before(item, items[above]); above = (place - 1) >> 1) {
      items[place] = items[above];
      place = above;
    }
    items[place] = item;
  }

  /** @returns {T | undefined} */
  pop() {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return first;
  }

  /** Puts an item where the first one was. @param {T} item */
  #sink(item) {
    const items = this.#items;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below + 1 < items.length && this.#before(items[below + 1], items[below])) below++;
      if (below >= items.length || !this.#before(items[below], item)) break;
      items[place] = items[below];
      place = below;
    }
    items[place] = item;
  }
}
