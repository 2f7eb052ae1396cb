// What the server prints: lines, reports that pages send, and pages that hang. On a terminal the latter are painted over what was painted
// before; elsewhere a hang is told at its begin, whenever it has become twice as long, and at its end.

/** @typedef {import('./hangs.js').Hang} Hang */

/** Functions of a stack that are shown: the innermost, and where it began. */
const INNERMOST = 12;
const OUTERMOST = 4;

/** Seconds after which a hang is told again, at first. */
const AGAIN = 2;

/** @typedef {{write(text: string): unknown, isTTY?: boolean, columns?: number}} Output */

export class Terminal {
  #output;
  /** Lines above the cursor that may be painted over. */
  #painted = 0;
  /** When to tell the hang of a page again: milliseconds. @type {Map<string, number>} */
  #due = new Map();
  /** @type {Set<string>} */
  #said = new Set();

  /** @param {Output} output */
  constructor(output) {
    this.#output = output;
  }

  /** @param {string} text of a line or several; from a page, perhaps */
  print(text) {
    this.#painted = 0;
    this.#output.write(`${printable(text).trimEnd()}\n`);
  }

  /** @param {string} text which is printed once only */
  printOnce(text) {
    if (!this.#said.has(text)) this.print(text);
    this.#said.add(text);
  }

  /** @param {readonly Hang[]} current @param {Hang} changed @param {boolean} isOver */
  showHangs(current, changed, isOver) {
    if (this.#output.isTTY) return this.#paint(current, changed, isOver);
    if (isOver) this.#due.delete(changed.page);
    else if (changed.milliseconds < (this.#due.get(changed.page) ?? 0)) return;
    else this.#due.set(changed.page, Math.max(AGAIN * 1000, changed.milliseconds * 2));
    this.print((isOver ? [endLine(changed)] : hangLines(changed)).join('\n'));
  }

  /** @param {readonly Hang[]} current @param {Hang} changed @param {boolean} isOver */
  #paint(current, changed, isOver) {
    const width = (this.#output.columns || 80) - 1;
    const over = isOver ? [endLine(changed)] : [];
    const lines = [...over, ...current.flatMap(hangLines)].map((line) => [...printable(line)].slice(0, width).join(''));
    const up = this.#painted > 0 ? `\x1b[${this.#painted}A\x1b[J` : '';
    this.#output.write(`${up}${lines.map((line) => `${line}\n`).join('')}`);
    this.#painted = lines.length - over.length;
  }
}

/** What a page says may not steer the terminal. @param {string} text */
function printable(text) {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd');
}

/** @param {Hang} hang */
function hangLines({ page, session, milliseconds, stack }) {
  const where = stack.length > 0 ? `in ${session}` : 'outside of traced modules';
  return [`${page} hangs for ${seconds(milliseconds)} ${where}`, ...shorten(stack).map((name) => `    ${name}`)];
}

/** @param {Hang} hang */
function endLine({ page, milliseconds }) {
  return `${page} lives again after ${seconds(milliseconds)}`;
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {readonly string[]} stack */
function shorten(stack) {
  const left = stack.length - INNERMOST - OUTERMOST;
  return left <= 1 ? stack : [...stack.slice(0, INNERMOST), `(${left} more)`, ...stack.slice(-OUTERMOST)];
}
