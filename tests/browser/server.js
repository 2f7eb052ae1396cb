// A web server for one page of a test: files in memory and folders, with any headers. Each has a port, and so an
// origin, of its own.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

/** @type {Readonly<Record<string, string>>} */
const TYPES = Object.freeze({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
});

/** What SharedArrayBuffer needs. */
export const ISOLATED = Object.freeze({
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
});

/**
 * @typedef {string | Uint8Array} Body
 * @typedef {Body | {body: Body, status?: number, headers?: Record<string, string>} | ((posted: Buffer) => void)} File a function
 *   takes what a page posts
 *
 * @typedef {object} Site
 * @property {Record<string, File>} files by path, as in `/page.html`
 * @property {Record<string, string>} [folders] of the machine, by the path they are found under, as in `/packages/`
 * @property {Record<string, string>} [headers] of all answers
 */

/**
 * @param {Site} site
 * @returns {Promise<{origin: string, close: () => Promise<void>}>}
 */
export async function serve(site) {
  const server = createServer((request, response) => {
    answer(site, request, response).catch((error) => response.destroy(error));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve(undefined)));
  };
  return { origin: `http://127.0.0.1:${port}`, close: /** @type {() => Promise<void>} */ (close) };
}

/** @param {Site} site @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answer({ files, folders = {}, headers = {} }, request, response) {
  const { pathname } = new URL(/** @type {string} */ (request.url), 'http://localhost');
  const common = { 'Content-Type': TYPES[path.extname(pathname)] ?? 'application/octet-stream', ...headers };
  if (Object.hasOwn(files, pathname)) return answerFile(files[pathname], common, request, response);
  const file = findInFolders(folders, decodeURIComponent(pathname));
  if (!file || !(await isFile(file))) return response.writeHead(404, headers).end();
  response.writeHead(200, common);
  return createReadStream(file).pipe(response);
}

/**
 * @param {File} file
 * @param {Record<string, string>} common
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answerFile(file, common, request, response) {
  if (typeof file === 'function') {
    file(await buffer(request));
    return response.writeHead(204, common).end();
  }
  const { body, status = 200, headers = {} } = typeof file === 'string' || file instanceof Uint8Array ? { body: file } : file;
  return response.writeHead(status, { ...common, ...headers }).end(body);
}

/** @param {Record<string, string>} folders @param {string} pathname without `..`: URL has resolved them */
function findInFolders(folders, pathname) {
  const prefix = Object.keys(folders).find((one) => pathname.startsWith(one));
  return prefix && path.join(folders[prefix], pathname.slice(prefix.length));
}

/** @param {string} file */
async function isFile(file) {
  return (await stat(file).catch(() => null))?.isFile() ?? false;
}
