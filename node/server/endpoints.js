// What the server has under /__wasm-trace/: our scripts, what pages report, and the page that shows which of them hang.

import { fileURLToPath } from 'node:url';

import { readBody, readJson, RequestError } from './body.js';
import { contentType } from './content-types.js';
import { findFile } from './find-file.js';
import { Hangs } from './hangs.js';
import { isSameOrigin } from './origin.js';
import { SCRIPTS } from './page-script.js';
import { PREFIX } from './script-tag.js';
import { send, sendFile, sendLine } from './send.js';

/**
 * @typedef {import('./send.js').Request} Request
 * @typedef {import('./send.js').Response} Response
 * @typedef {import('./terminal.js').Terminal} Terminal
 * @typedef {(request: Request, response: Response) => void | Promise<void>} Answer
 */

/** The second tab; it needs nothing from elsewhere. */
const WATCH = fileURLToPath(new URL('watch/', import.meta.url));
const WATCH_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

export class Endpoints {
  #terminal;
  #texts;
  #hangs = new Hangs();
  /** @type {Record<string, Answer>} */
  #answers = {
    'GET worker.js': (request, response) => sendScript(request, response, this.#texts.worker(searchOf(request))),
    'GET worker.mjs': (request, response) => sendScript(request, response, this.#texts.worker(searchOf(request))),
    'GET watcher.js': (request, response) => sendScript(request, response, this.#texts.watcher),
    'GET hang': (request, response) => this.#sendFile(request, response, WATCH, 'hang.html'),
    'GET hang.css': (request, response) => this.#sendFile(request, response, WATCH, 'hang.css'),
    'GET hang.js': (request, response) => this.#sendFile(request, response, WATCH, 'hang.js'),
    'GET hang/events': (request, response) => this.#sendEvents(request, response),
    'POST hang': async (request) => this.#hangs.receive(await readJson(request)),
    'POST trap': async (request) => this.#terminal.print(trapText(await readJson(request))),
    'POST report': async (request) => this.#terminal.print(await readBody(request)),
  };

  /** @param {{terminal: Terminal, texts: import('./page-script.js').StartTexts}} parts */
  constructor({ terminal, texts }) {
    this.#terminal = terminal;
    this.#texts = texts;
    this.#hangs.setMaxListeners(0);
    this.#hangs.on('change', (hang, isOver) => terminal.showHangs(this.#hangs.current, hang, isOver));
  }

  /** @param {Request} request for an address of ours @param {Response} response @throws {RequestError} */
  async answer(request, response) {
    const name = (request.url ?? '').slice(PREFIX.length).replace(/[?#].*/, '');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const answer = this.#answers[`${method} ${name}`];
    if (method === 'POST' && !isSameOrigin(request)) throw new RequestError(403, 'from a page of another server');
    if (answer) await answer(request, response);
    else await this.#sendFile(request, response, SCRIPTS, name);
    if (method === 'POST') response.writeHead(204).end();
  }

  /** @param {Request} request @param {Response} response @param {string} folder @param {string} name */
  async #sendFile(request, response, folder, name) {
    if (request.method === 'POST') throw new RequestError(404, 'nothing to report to');
    const found = await findFile(folder, `/${name}`);
    if (found.kind !== 'file') return sendLine(request, response, 404, `${PREFIX}${name} is not there`);
    if (folder === WATCH) response.setHeader('Content-Security-Policy', WATCH_POLICY);
    await sendFile(request, response, { ...found, type: contentType(found.name) });
  }

  /** For as long as the tab is open. @param {Request} request @param {Response} response */
  #sendEvents(request, response) {
    if (!isSameOrigin(request)) throw new RequestError(403, 'from a page of another server');
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const tell = (/** @type {import('./hangs.js').Hang} */ hang, isOver = false) => {
      response.write(`data: ${JSON.stringify({ hang, isOver, count: this.#hangs.current.length })}\n\n`);
    };
    response.write(':\n\n');
    for (const hang of this.#hangs.current) tell(hang);
    this.#hangs.on('change', tell);
    response.on('close', () => this.#hangs.off('change', tell));
  }
}

/** @param {Request} request */
function searchOf({ url = '' }) {
  return new URL(url, 'http://localhost').search;
}

/** @param {Request} request @param {Response} response @param {string} text */
function sendScript(request, response, text) {
  send(request, response, { type: 'text/javascript', body: `${text}\n` });
}

/** @param {Record<string, unknown>} report @throws {RequestError} */
function trapText({ text, page }) {
  if (typeof text !== 'string') throw new RequestError(400, 'not a report of a trap');
  return typeof page === 'string' ? `${page}\n${text}` : text;
}
