// Small texts that all views share: numbers, sizes, notes, and the cut of what is too long.

/** @param {number | bigint} count with commas between thousands */
export function grouped(count) {
  const [whole, ...fraction] = String(count).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

/** "1 call", "12 calls". @param {number | bigint} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${Number(count) === 1 ? one : many}`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** "64 KiB", "1.5 MiB". @param {number} bytes */
export function byteSize(bytes) {
  const unit = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** unit;
  return `${unit === 0 ? size : Number(size.toFixed(size < 100 ? 1 : 0))} ${UNITS[unit]}`;
}

/**
 * What a trace lost, in plain words; every view ends with it.
 * @param {{lost?: number, drainedTo?: string, missed?: number, dropped?: bigint, stopped?: boolean}} losses lost: overwritten events;
 *   drainedTo: the file that has them; missed: those that a full buffer did not take; dropped: calls beyond a full tree; stopped: nothing is recorded since the buffer was full
 * @returns {string[]}
 */
export function lossNotes({ lost = 0, drainedTo, missed = 0, dropped = 0n, stopped = false }) {
  const notes = [];
  if (lost > 0 && drainedTo !== undefined) notes.push(`${counted(lost, 'older event is', 'older events are')} in ${drainedTo}`);
  else if (lost > 0) notes.push(`${counted(lost, 'older event was', 'older events were')} overwritten; a larger --buffer keeps more`);
  if (missed > 0) notes.push(`${counted(missed, 'newer event is', 'newer events are')} missing: the buffer was full; a larger --buffer keeps more`);
  if (stopped) notes.push('recording stopped when the buffer was full; a larger --buffer keeps more');
  if (dropped > 0n) notes.push(`${counted(dropped, 'call is', 'calls are')} not in the tree: it was full`);
  return notes;
}

/**
 * What bare `calls` passes over.
 * @param {{tinyCount: number}} metadata
 * @returns {string[]}
 */
export function tinyNotes({ tinyCount }) {
  const them = tinyCount === 1 ? 'it' : 'them';
  return tinyCount > 0 ? [`${counted(tinyCount, 'tiny function')} left out; --min-size 0 takes ${them} too`] : [];
}

/** @param {string[]} lines @returns {string} each line with its end */
export function joinLines(lines) {
  return lines.map((line) => `${line}\n`).join('');
}
