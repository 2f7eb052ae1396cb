// Answers to requests: a text, or a file as it is now. Nothing that is sent may be kept: it is to be as new as the file, and a page that
// was sent without our script must not come back for one with it.

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 */

/**
 * @param {Request} request
 * @param {Response} response
 * @param {{status?: number, type: string, body: string | Uint8Array, headers?: Record<string, string>}} answer
 */
export function send(request, response, { status = 200, type, body, headers = {} }) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': bytes.length, 'Cache-Control': 'no-store' });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** A line for people. @param {Request} request @param {Response} response @param {number} status @param {string} text */
export function sendLine(request, response, status, text) {
  send(request, response, { status, type: 'text/plain;charset=utf-8', body: `${text}\n` });
}

/**
 * @param {Request} request
 * @param {Response} response
 * @param {{path: string, size: number, type: string}} file
 */
export async function sendFile(request, response, { path, size, type }) {
  const range = readRange(request, size);
  const headers = { 'Content-Type': type, 'Accept-Ranges': 'bytes', 'Cache-Control': 'no-store' };
  if (range === null) {
    response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const length = end - start + 1;
  if (range) response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
  if (request.method === 'HEAD' || length === 0) {
    response.writeHead(range ? 206 : 200, { ...headers, 'Content-Length': length }).end();
    return;
  }
  const stream = createReadStream(path, { start, end });
  stream.once('open', () => response.writeHead(range ? 206 : 200, { ...headers, 'Content-Length': length }));
  await pipeline(stream, response);
  // A file that has become shorter: the connection waits for bytes that will not come.
  if (stream.bytesRead < length) request.socket.destroy();
}

/**
 * One range; a list of them is answered by the whole file, as it may be.
 * @param {Request} request
 * @param {number} size
 * @returns {{start: number, end: number} | undefined | null} undefined: the whole file; null: nothing of it
 */
function readRange({ headers }, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers['if-range'] === undefined ? (headers.range ?? '') : '') ?? [];
  if (first === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start < size && start <= end ? { start, end } : null;
}
