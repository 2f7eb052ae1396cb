// Bytes as ASCII text that gzip packs as well as the bytes: each of the frequent bytes is one character, each of the others an
// escape character and one more. web/loader/artifacts.js reads it.

/** Printable, and plain inside of a string in single quotes. */
const CHARACTERS = Array.from({ length: 95 }, (_, i) => i + 32).filter((code) => !"'\\`$".includes(String.fromCharCode(code)));

/**
 * @param {readonly Uint8Array[]} files
 * @returns {{escapes: number[], singles: number[][], texts: string[]}} escapes: codes; singles[0][code]: the byte of a character,
 *   singles[e + 1][code]: that of a character behind escape e
 */
export function encodePage(files) {
  const order = byFrequency(files);
  let count = 0;
  while (CHARACTERS.length - count + count * CHARACTERS.length < order.length) count++;
  const [escapes, plain] = [CHARACTERS.slice(0, count), CHARACTERS.slice(count)];
  const singles = Array.from({ length: count + 1 }, () => []);
  const codes = order.map((byte, rank) => {
    const page = rank < plain.length ? 0 : 1 + Math.floor((rank - plain.length) / CHARACTERS.length);
    const code = page === 0 ? plain[rank] : CHARACTERS[(rank - plain.length) % CHARACTERS.length];
    singles[page][code] = byte;
    return [byte, page === 0 ? [code] : [escapes[page - 1], code]];
  });
  const table = new Map(codes);
  const texts = files.map((bytes) => Array.from(bytes, (byte) => String.fromCharCode(...table.get(byte))).join(''));
  return { escapes, singles: singles.map((row) => Array.from(row, (byte) => byte ?? 0)), texts };
}

/** All byte values, most frequent first. @param {readonly Uint8Array[]} files */
function byFrequency(files) {
  const counts = new Uint32Array(256);
  for (const bytes of files) for (const byte of bytes) counts[byte]++;
  return Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b);
}
