// A page with our script as its first one. Only the beginning of the page is read, by the rules of HTML for what may stand before and
// in front of <head>; nothing but the tag is added, on a line that is there.

import { isUtf8 } from 'node:buffer';

/** Tokens that may come before <html> and <head>: space, comments, the doctype and other declarations. */
const BETWEEN = [/[\t\n\f\r ]+/y, /<!--(?:-?>|[^]*?--!?>)/y, /<[!?](?!--)[^>]*>/y];

const NAME_END = '(?=[\\t\\n\\f\\r />])';

/** What a tag has behind its name, a piece at a time. */
const ATTRIBUTE =
  /[\t\n\f\r /]+|[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*"|'[^']*'|[^\t\n\f\r >"'][^\t\n\f\r >]*)?)?/y;

/** How far engines look for the declaration of an encoding. */
const DECLARED_WITHIN = 1024;

/** @typedef {{text: string, unit: 1 | 2, encode: (text: string) => Uint8Array, charset: string | null}} Decoded unit: bytes of a char */

/**
 * @param {Buffer} bytes of a page
 * @param {string} tag in ASCII
 * @returns {{type: string, body: Uint8Array}}
 */
export function injectIntoPage(bytes, tag) {
  const { text, unit, encode, charset } = decode(bytes);
  const at = findScriptPlace(text) * unit;
  const body = Buffer.concat([bytes.subarray(0, at), encode(tag), bytes.subarray(at)]);
  return { type: charset === null ? 'text/html' : `text/html;charset=${charset}`, body };
}

/**
 * One char for each byte, or for each two of UTF-16, which is known by its mark.
 * @param {Buffer} bytes
 * @returns {Decoded}
 */
function decode(bytes) {
  const [first, second] = bytes;
  const asUtf16 = (/** @type {string} */ text) => Buffer.from(text, 'utf16le');
  if (first === 0xff && second === 0xfe) return { text: bytes.toString('utf16le'), unit: 2, encode: asUtf16, charset: 'utf-16le' };
  if (first === 0xfe && second === 0xff) {
    const swapped = Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
    return { text: swapped.toString('utf16le'), unit: 2, encode: (text) => asUtf16(text).swap16(), charset: 'utf-16be' };
  }
  return { text: bytes.toString('latin1'), unit: 1, encode: (text) => Buffer.from(text, 'latin1'), charset: charsetOf(bytes) };
}

/**
 * Our tag may move the page's own declaration to where engines no longer look, so the answer's header says it.
 * @param {Buffer} bytes
 * @returns {string | null} null: the engine may guess
 */
function charsetOf(bytes) {
  if (bytes.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf))) return 'utf-8';
  const start = bytes.toString('latin1', 0, DECLARED_WITHIN).replace(/<!--[^]*?-->/g, '');
  const declared = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1];
  return declared ?? (isUtf8(bytes) ? 'utf-8' : null);
}

/**
 * Where a script is the first one and everything behind it means what it did: behind <head>, or else where <head> is left out and
 * something of it begins.
 * @param {string} text of a page
 * @returns {number}
 */
export function findScriptPlace(text) {
  let at = skipBetween(text, /^(?:\ufeff|\xef\xbb\xbf)/.exec(text)?.[0].length ?? 0);
  for (let end = skipTag(text, at, 'html'); end !== null; end = skipTag(text, at, 'html')) at = skipBetween(text, end);
  return skipTag(text, at, 'head') ?? at;
}

/** @param {string} text @param {number} at */
function skipBetween(text, at) {
  for (let end = skipAny(text, at); end > at; end = skipAny(text, at)) at = end;
  return at;
}

/** @param {string} text @param {number} at */
function skipAny(text, at) {
  return BETWEEN.reduce((end, token) => (end > at ? end : matchEnd(text, at, token) ?? at), at);
}

/** @param {string} text @param {number} at @param {string} name @returns {number | null} null: no such tag */
function skipTag(text, at, name) {
  let end = matchEnd(text, at, new RegExp(`<${name}${NAME_END}`, 'iy'));
  for (let next = end; next !== null; next = matchEnd(text, next, ATTRIBUTE)) end = next;
  return end !== null && text[end] === '>' ? end + 1 : null;
}

/** @param {string} text @param {number} at @param {RegExp} token sticky @returns {number | null} */
function matchEnd(text, at, token) {
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : null;
}
