// The server: what each request is answered with. Pages and workers get our script on their way; all else is a file of the folder as it is.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

import { RequestError } from './body.js';
import { contentType } from './content-types.js';
import { Endpoints } from './endpoints.js';
import { findFile } from './find-file.js';
import { renderFolderPage } from './folder-page.js';
import { isLocalName } from './origin.js';
import { injectIntoPage } from './page.js';
import { PREFIX } from './script-tag.js';
import { send, sendFile, sendLine } from './send.js';
import { injectIntoWorker } from './worker-script.js';

/**
 * @typedef {import('./send.js').Request} Request
 * @typedef {import('./send.js').Response} Response
 * @typedef {Extract<import('./find-file.js').Found, {kind: 'file'}>} File
 *
 * @typedef {object} SiteParts
 * @property {string} root folder that is served; a path without links
 * @property {string} tag that goes into pages
 * @property {import('./page-script.js').StartTexts} texts that go into worker scripts
 * @property {boolean} isolate
 * @property {boolean} isOpen to other machines too, which know this one by any name
 * @property {import('./terminal.js').Terminal} terminal
 */

/** Destinations of requests for what is shown as a page, not read by one. */
const PAGES = ['document', 'iframe', 'frame', 'embed', 'object'];

const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** @param {SiteParts} parts */
export function createSite(parts) {
  const site = new Site(parts);
  return createServer((request, response) => void site.answer(request, response));
}

class Site {
  #parts;
  #endpoints;

  /** @param {SiteParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#endpoints = new Endpoints(parts);
  }

  /** @param {Request} request @param {Response} response @returns {Promise<void>} never rejects */
  async answer(request, response) {
    try {
      await this.#dispatch(request, response);
    } catch (error) {
      this.#fail(request, response, error);
    }
  }

  /** @param {Request} request @param {Response} response @throws {RequestError} */
  async #dispatch(request, response) {
    const { url = '', method = '' } = request;
    if (!this.#parts.isOpen && !isLocalName(request))
      throw new RequestError(403, 'served under names of this machine only; --host ADDRESS changes that');
    if (this.#parts.isolate) for (const [name, value] of Object.entries(ISOLATION)) response.setHeader(name, value);
    if (url.startsWith(PREFIX)) return this.#endpoints.answer(request, response);
    if (method !== 'GET' && method !== 'HEAD') throw new RequestError(405, `${method} is not for files`);
    return this.#answerWithFile(request, response, await findFile(this.#parts.root, url));
  }

  /** @param {Request} request @param {Response} response @param {import('./find-file.js').Found} found */
  async #answerWithFile(request, response, found) {
    switch (found.kind) {
      case 'file':
        return this.#sendFile(request, response, found);
      case 'redirect':
        return void response.writeHead(302, { Location: found.location, 'Cache-Control': 'no-store' }).end();
      case 'folder':
        return send(request, response, { status: 404, type: 'text/html;charset=utf-8', body: await renderFolderPage(found.path) });
      case 'outside':
        this.#parts.terminal.printOnce(`warning: ${found.path} leads out of the folder and is not served`);
        return sendLine(request, response, 403, 'this leads out of the folder that is served');
      default:
        return sendLine(request, response, 404, 'no such file');
    }
  }

  /** @param {Request} request @param {Response} response @param {File} file */
  async #sendFile(request, response, file) {
    const type = contentType(file.name);
    if (type === 'text/html' && isForPage(request)) return this.#sendPage(request, response, file);
    if (type === 'text/javascript' && isForWorker(request)) return this.#sendWorker(request, response, file);
    return sendFile(request, response, { ...file, type: type === 'text/html' ? 'text/html;charset=utf-8' : type });
  }

  /** @param {Request} request @param {Response} response @param {File} file */
  async #sendPage(request, response, { path }) {
    send(request, response, injectIntoPage(await readFile(path), this.#parts.tag));
  }

  /** @param {Request} request @param {Response} response @param {File} file */
  async #sendWorker(request, response, { path, name }) {
    const search = searchOf(request.headers.referer);
    const ours = { text: this.#parts.texts.worker(search), address: `${PREFIX}worker.mjs${search}` };
    const { body, problem } = injectIntoWorker(await readFile(path), ours);
    if (problem !== null) this.#parts.terminal.printOnce(`warning: the worker ${name} runs untraced: ${problem}`);
    send(request, response, { type: 'text/javascript', body });
  }

  /** @param {Request} request @param {Response} response @param {unknown} error */
  #fail(request, response, error) {
    if (response.headersSent) return void response.destroy();
    if (error instanceof RequestError) {
      // What is left of a body that is too long is not waited for.
      if (error.status === 413) response.setHeader('Connection', 'close');
      return sendLine(request, response, error.status, error.message);
    }
    const { message } = /** @type {Error} */ (error);
    this.#parts.terminal.printOnce(`warning: ${request.url}: ${message}`);
    sendLine(request, response, 500, message);
  }
}

/** @param {string | undefined} address */
function searchOf(address) {
  return address !== undefined && URL.canParse(address) ? new URL(address).search : '';
}

/** Not a piece of HTML that a script asks for. @param {Request} request */
function isForPage({ headers }) {
  const destination = headers['sec-fetch-dest'];
  if (typeof destination === 'string') return PAGES.includes(destination);
  return (headers.accept ?? '').includes('text/html');
}

/** Not a module that a worker imports; and no shared or service worker, since no page shows what these do. @param {Request} request */
function isForWorker({ headers }) {
  return headers['sec-fetch-dest'] === 'worker' && headers['sec-fetch-mode'] !== 'cors';
}
