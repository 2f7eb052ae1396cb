// What a request brings, up to a bound.

/** Bytes; a report of a trap is below 256 KiB. */
const SIZE_MAX = 2 ** 20;

/** A request that is not answered as it wishes. */
export class RequestError extends Error {
  /** @param {number} status of HTTP @param {string} message a sentence without a full stop */
  constructor(status, message) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<string>}
 * @throws {RequestError}
 */
export async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > SIZE_MAX) throw new RequestError(413, `larger than ${SIZE_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Record<string, unknown>>}
 * @throws {RequestError}
 */
export async function readJson(request) {
  const text = await readBody(request);
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // As below.
  }
  throw new RequestError(400, 'not a JSON object');
}
