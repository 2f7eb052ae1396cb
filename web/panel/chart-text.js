// Names of functions in the room that there is. The font is monospaced, so plain names need not be measured.

const PLAIN = /^[ -~]*$/;
const ELLIPSIS = '…';
const LEAST_CHARS = 3;

/** Functions without a name. Patterns of probes write them so: `#12`. */
const NAMELESS = /^wasm-function\[(\d+)\]/;

/** The last part of a path, with what it is generic over: `f` of `a::b<c::d>::f`. @param {string} name */
function lastPart(name) {
  let nested = 0;
  for (let i = name.length - 1; i > 0; i--) {
    const char = name[i];
    if (char === '>' && name[i - 1] !== '-') nested++;
    else if (char === '<') nested--;
    else if (nested === 0 && char === ':' && name[i - 1] === ':') return name.slice(i + 1);
  }
  return name;
}

/** What says most in little room. @param {string} name */
export function shortName(name) {
  const index = NAMELESS.exec(name)?.[1];
  if (index !== undefined) return `#${index}`;
  const part = lastPart(name);
  return part === name ? name : `${ELLIPSIS}${part}`;
}

export class TextFitter {
  #context;
  #font = '';
  #charWidth = 7;
  /** Widths of names that are not plain. @type {Map<string, number>} */
  #measured = new Map();

  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.#context = context;
  }

  /** Sets the font for fitting and drawing. @param {string} font */
  use(font) {
    this.#context.font = font;
    if (font === this.#font) return;
    this.#font = font;
    this.#charWidth = this.#context.measureText('0'.repeat(32)).width / 32;
    this.#measured.clear();
  }

  /** Below this width nothing is written. */
  get least() {
    return LEAST_CHARS * this.#charWidth;
  }

  /** @param {string} text */
  width(text) {
    if (PLAIN.test(text)) return text.length * this.#charWidth;
    let width = this.#measured.get(text);
    if (width === undefined) {
      width = this.#context.measureText(text).width;
      this.#measured.set(text, width);
    }
    return width;
  }

  /**
   * The text; where it does not fit its short form, as much of it as does.
   * @param {string} text
   * @param {number} room
   */
  fit(text, room) {
    if (this.width(text) <= room) return text;
    const short = shortName(text);
    const width = this.width(short);
    if (width <= room) return short;
    if (short.startsWith('#')) return ''; // a part of a number is another number
    const chars = Math.floor((room * short.length) / width) - 1;
    return chars + 1 < LEAST_CHARS ? '' : `${short.slice(0, chars)}${ELLIPSIS}`;
  }
}
