// Bytes as ASCII text that gzip packs as well as the bytes: each of the frequent bytes is one character, each of the others an
// escape character and one more. web/loader/artifacts.js reads it.

/** Printable, and plain inside of a string in single quotes. */
const CHARACTERS = Array.from({ length: 95 }, (_, i) => i + 32).filter((code) => !"'\\`$".includes(String.fromCharCode(code)));

const PAGE = 128;

/**
 * @param {readonly Uint8Array[]} files
 * @returns {{pages: number[], texts: string[]}} pages: 128 numbers each, by character; a byte, or -N: the next character is looked up in
 *   page N
 */
export function encodePage(files) {
  const order = byFrequency(files);
  let count = 0;
  while (CHARACTERS.length - count + count * CHARACTERS.length < order.length) count++;
  const [escapes, plain] = [CHARACTERS.slice(0, count), CHARACTERS.slice(count)];
  const pages = new Array(PAGE * (count + 1)).fill(0);
  escapes.forEach((code, i) => (pages[code] = -(i + 1)));
  const spelled = order.map((byte, rank) => {
    const page = rank < plain.length ? 0 : 1 + Math.floor((rank - plain.length) / CHARACTERS.length);
    const code = page === 0 ? plain[rank] : CHARACTERS[(rank - plain.length) % CHARACTERS.length];
    pages[page * PAGE + code] = byte;
    return /** @type {const} */ ([byte, page === 0 ? [code] : [escapes[page - 1], code]]);
  });
  const table = new Map(spelled);
  const texts = files.map((bytes) => Array.from(bytes, (byte) => String.fromCharCode(...table.get(byte))).join(''));
  return { pages, texts };
}

/** All byte values, most frequent first. @param {readonly Uint8Array[]} files */
function byFrequency(files) {
  const counts = new Uint32Array(256);
  for (const bytes of files) for (const byte of bytes) counts[byte]++;
  return Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b);
}
