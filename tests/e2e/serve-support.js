// What the tests of `wasm-trace serve` share: a server in this process, requests as browsers send them, and requests as no browser does.
import http from 'node:http';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { parseCommand } from '../../node/options.js';
import { scriptTag } from '../../node/server/script-tag.js';
import { createSite } from '../../node/server/site.js';
import { Terminal } from '../../node/server/terminal.js';

/** In place of the page script: says that it was there. */
export const workerText = (search) => `(function wasmTraceStart(launch){globalThis.hooked=launch})(${JSON.stringify(search)});`;

/** How a browser asks for what it shows, and for what scripts read. */
export const NAVIGATE = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*' };
export const START_WORKER = { 'sec-fetch-dest': 'worker', 'sec-fetch-mode': 'same-origin' };

/** A folder with these files (path: content), which goes away after the test. */
export function makeSiteFolder(t, files) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'wasm-trace-serve-')));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

/** What was printed, and how a terminal would be asked about itself. */
export class Printed {
  text = '';

  constructor(isTTY = false) {
    this.isTTY = isTTY;
    this.columns = 60;
  }

  write(text) {
    this.text += text;
  }
}

const TEXTS = { worker: workerText, watcher: 'self.watcher = true;' };

/** @returns {Promise<{url: string, port: number, printed: Printed, tag: string}>} */
export async function startSite(t, root, { args = [], printed = new Printed(), isOpen = false, texts = TEXTS } = {}) {
  const { options } = parseCommand(args, 'wasm-trace serve');
  const tag = scriptTag(options);
  const terminal = new Terminal(printed);
  const server = createSite({ root, tag, texts, isolate: options.isolate, isOpen, terminal });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}`, port, printed, tag };
}

/** A request whose path is sent as it is. @returns {Promise<{status: number, headers: object, body: Buffer}>} */
export function request({ port }, target, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port, path: target, method, headers, agent: false }, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The body of an answer. */
export const text = async (response) => (await response).body.toString();
