// The colours of charts, light or dark as the text around them is. A page or panel changes them by custom properties on any
// element around a chart; these are their names and what they are otherwise.
import { TONES, css, oklch, toneColours } from '../../js/views/tones.js';

/** @import {Rgb} from '../../js/views/tones.js' */

/** Where the colours of each kind of function begin in `fills`; of the host there is one. */
export const KIND = Object.freeze({ OWN: 0, IMPORT: TONES, HOST: 2 * TONES });

/**
 * @typedef {object} Theme
 * @property {Pixels} pixels
 * @property {string} background   @property {string} text on it   @property {string} frameText on fills and on `match`
 * @property {string} accent around what is selected   @property {string} hover   @property {string} grid
 * @property {string} failure how calls end that do not return   @property {string} surface of the tooltip   @property {string} border
 * @property {string} font for names: a monospaced one
 *
 * @typedef {object} Pixels as image data has them: one number each
 * @property {Uint32Array} fills by KIND and tone
 * @property {Uint32Array} faded the same while others are highlighted
 * @property {number} background   @property {number} accent
 * @property {number} dense many frames too narrow to be told apart   @property {number} match found by a search
 */

const FONT = '11px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Colours that custom properties can replace: `--wt-chart-` and the name. */
const LIGHT = {
  background: '#ffffff',
  text: '#1c1e21',
  'frame-text': '#17181a',
  dense: css(oklch(0.83, 0.03, 58)),
  match: css(oklch(0.78, 0.17, 335)),
  accent: '#1f4fd8',
  hover: '#3c4043',
  grid: '#dfe1e5',
  failure: '#c5221f',
  surface: '#ffffff',
  border: '#c4c7cc',
  font: FONT,
};
const DARK = {
  background: '#17181b',
  text: '#e8eaed',
  'frame-text': '#121314',
  dense: css(oklch(0.47, 0.03, 58)),
  match: css(oklch(0.72, 0.2, 335)),
  accent: '#9ec1ff',
  hover: '#d4d7dc',
  grid: '#33363b',
  failure: '#ff8a80',
  surface: '#26282c',
  border: '#4a4d53',
  font: FONT,
};

/** Lightness, chroma of the fills. */
const SHADES = {
  light: { lightness: 0.83, step: 0.035, chroma: 0.115 },
  dark: { lightness: 0.68, step: 0.035, chroma: 0.105 },
};

/** Hues of the functions in degrees (OKLCH): `--wt-chart-own-hue`, `--wt-chart-import-hue`. */
const HUE = { 'own-hue': 58, 'import-hue': 235 };
const SPREAD = { own: 84, import: 56 };

const FADE = 0.62;

/** @param {string} color as computed styles have it */
function isLight(color) {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  const unit = color.startsWith('color(') ? 1 : 255;
  return (0.299 * red + 0.587 * green + 0.114 * blue) / unit > 0.5;
}

/** @param {Rgb} colour @param {Rgb} ground @returns {Rgb} */
function fade(colour, ground) {
  return /** @type {Rgb} */ (colour.map((part, i) => Math.round(part + (ground[i] - part) * FADE)));
}

const scratch = new DataView(new ArrayBuffer(4));

/** @param {Rgb} colour */
function pixelOf([red, green, blue]) {
  scratch.setUint32(0, (red << 24) | (green << 16) | (blue << 8) | 0xff);
  return new Uint32Array(scratch.buffer)[0];
}

/** Any colour that CSS knows. */
class ColourParser {
  #context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d', { willReadFrequently: true }));

  /** @param {string} colour @returns {Rgb} */
  parse(colour) {
    this.#context.fillStyle = colour;
    this.#context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = this.#context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  }
}

/** @param {Rgb[]} fills @param {{background: string, dense: string, match: string, accent: string}} named @returns {Pixels} */
function pixelsOf(fills, { background, dense, match, accent }) {
  const parser = new ColourParser();
  const pixel = (/** @type {string} */ colour) => pixelOf(parser.parse(colour));
  const ground = parser.parse(background);
  return {
    fills: Uint32Array.from(fills, pixelOf),
    faded: Uint32Array.from(fills, (fill) => pixelOf(fade(fill, ground))),
    background: pixel(background),
    dense: pixel(dense),
    match: pixel(match),
    accent: pixel(accent),
  };
}

/** @param {CSSStyleDeclaration} style @returns {Theme} */
function readTheme(style) {
  const dark = isLight(style.color);
  const defaults = dark ? DARK : LIGHT;
  const read = (/** @type {string} */ name, /** @type {string | number} */ otherwise) =>
    style.getPropertyValue(`--wt-chart-${name}`).trim() || String(otherwise);
  const shades = dark ? SHADES.dark : SHADES.light;
  const colours = [
    ...toneColours(Number(read('own-hue', HUE['own-hue'])), SPREAD.own, shades),
    ...toneColours(Number(read('import-hue', HUE['import-hue'])), SPREAD.import, shades),
    oklch(shades.lightness, 0.008, 260),
  ];
  const [background, text, frameText, dense, match, accent, hover, grid, failure, surface, border, font] = Object.entries(
    defaults,
  ).map(([name, otherwise]) => read(name, otherwise));
  const pixels = pixelsOf(colours, { background, dense, match, accent });
  return { pixels, background, text, frameText, accent, hover, grid, failure, surface, border, font };
}

/** Reads the theme of an element again only when something that it depends on has changed. */
export class ThemeReader {
  #style;
  #key = '';
  /** @type {Theme | null} */
  #theme = null;

  /** @param {Element} element */
  constructor(element) {
    this.#style = getComputedStyle(element);
  }

  /** @returns {Theme} */
  read() {
    const names = [...Object.keys(LIGHT), ...Object.keys(HUE)];
    const key = [this.#style.color, ...names.map((name) => this.#style.getPropertyValue(`--wt-chart-${name}`))].join('|');
    if (this.#theme === null || key !== this.#key) this.#theme = readTheme(this.#style);
    this.#key = key;
    return this.#theme;
  }
}
