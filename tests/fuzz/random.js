// Random choices that are the same for the same seed (xorshift of 32 bits).

export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) | 1;
    for (let i = 0; i < 8; i++) this.#next(); // near seeds begin alike
  }

  #next() {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (this.#state = state) >>> 0;
  }

  /** An integer from 0 to `limit` - 1. @param {number} limit */
  below(limit) {
    return Math.floor((this.#next() / 2 ** 32) * limit);
  }

  /** An integer from `least` to `most`. @param {number} least @param {number} most */
  from(least, most) {
    return least + this.below(most - least + 1);
  }

  /** True in `percent` of a hundred cases. @param {number} percent */
  chance(percent) {
    return this.below(100) < percent;
  }

  /** @template T @param {readonly T[]} list not empty @returns {T} */
  pick(list) {
    return list[this.below(list.length)];
  }

  /** @template T @param {number} count @param {(index: number) => T} make @returns {T[]} */
  list(count, make) {
    return Array.from({ length: count }, (_, i) => make(i));
  }

  /** Some of them, in their order. @template T @param {readonly T[]} list @param {number} percent @returns {T[]} */
  some(list, percent) {
    return list.filter(() => this.chance(percent));
  }

  /** @param {number} size */
  bytes(size) {
    return Uint8Array.from({ length: size }, () => this.below(256));
  }
}
