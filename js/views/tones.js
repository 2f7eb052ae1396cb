// Colours of functions: the same name has the same colour in every chart, names of one namespace are alike. Calls of the host
// stand apart. Made in OKLCH, where equal lightness looks equal: the text on all of them is equally readable.

/** How many tones a kind of function has. */
const HUES = 8;
const SHADES = 3;
export const TONES = HUES * SHADES;

/** FNV-1a. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

/** What a name has in common with its neighbours: `a::b` of `a::b::c`, `env` of `env.puts`. @param {string} name */
function namespace(name) {
  const end = Math.max(name.lastIndexOf('::'), name.lastIndexOf('.'));
  return end > 0 ? name.slice(0, end) : name;
}

/** @param {string} name @returns {number} below TONES */
export function toneOf(name) {
  return (hash(namespace(name)) % HUES) * SHADES + (hash(name) % SHADES);
}

/** @typedef {[red: number, green: number, blue: number]} Rgb 0 to 255 */

/** @param {number} linear 0 to 1 */
function gamma(linear) {
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, value)));
}

/**
 * @param {number} lightness 0 to 1
 * @param {number} chroma 0 to about 0.3; what no screen can show is clipped
 * @param {number} hue degrees
 * @returns {Rgb}
 */
export function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    gamma(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    gamma(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
  ];
}

/** @param {Rgb} colour */
export function css([red, green, blue]) {
  return `rgb(${red}, ${green}, ${blue})`;
}

/**
 * A colour for each tone.
 * @param {number} hue degrees, in the middle of the range
 * @param {number} spread degrees from one end of it to the other
 * @param {{lightness: number, step: number, chroma: number}} shade lightness of the middle shade, and to the next
 * @returns {Rgb[]}
 */
export function toneColours(hue, spread, { lightness, step, chroma }) {
  return Array.from({ length: TONES }, (_, tone) => {
    const turn = Math.floor(tone / SHADES) / (HUES - 1) - 0.5;
    return oklch(lightness + ((tone % SHADES) - 1) * step, chroma, hue + turn * spread);
  });
}
