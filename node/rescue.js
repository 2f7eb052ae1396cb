// Asks something of a child that is busy inside wasm and so cannot run any handler, its report for one: by Node's inspector, which
// SIGUSR1 starts in a running process and which interrupts it. The child was given the port when it started; until then the
// inspector costs nothing.

import { randomBytes } from 'node:crypto';
import { get, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const HOST = '127.0.0.1';

/** In milliseconds. */
const PATIENCE = 3000;
const POLL = 50;

/**
 * Makes the child do what preload.js has left for this: write its report, or stop to record and begin again.
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} port
 * @param {string} call `finish()`, or `toggle(MARKS)`, which does nothing if the child has made more of them since
 * @returns {Promise<boolean>} whether it did
 */
export async function interruptChild(child, port, call) {
  child.kill('SIGUSR1');
  const deadline = sleep(PATIENCE, false, { ref: false });
  return Promise.race([deadline, ask(port, `globalThis[Symbol.for('wasm-trace')].${call}`).catch(() => false)]);
}

/** @param {number} port @param {string} expression */
async function ask(port, expression) {
  const socket = await openSocket(port, await findTarget(port));
  const answer = new Promise((resolve) => socket.once('data', () => resolve(true)).once('close', () => resolve(false)));
  socket.write(textFrame(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })));
  const written = /** @type {boolean} */ (await answer);
  socket.destroy();
  return written;
}

/** @param {number} port @returns {Promise<string>} path of the main thread's socket */
async function findTarget(port) {
  for (;;) {
    try {
      const [{ webSocketDebuggerUrl }] = JSON.parse(await fetchText(port, '/json/list'));
      return new URL(webSocketDebuggerUrl).pathname;
    } catch {
      await sleep(POLL);
    }
  }
}

/** @param {number} port @param {string} path @returns {Promise<string>} */
function fetchText(port, path) {
  return new Promise((resolve, reject) => {
    const asked = get({ host: HOST, port, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => resolve(text));
    });
    asked.on('error', reject);
  });
}

/**
 * WebSocket, RFC 6455; Node 20 has no client of its own.
 * @param {number} port
 * @param {string} path
 * @returns {Promise<import('node:stream').Duplex>}
 */
function openSocket(port, path) {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    request({ host: HOST, port, path, headers }).on('upgrade', (_, socket) => resolve(socket)).on('error', reject).end();
  });
}

/** One masked text frame; a mask of zeros leaves the text as it is. @param {string} text up to 65535 bytes */
function textFrame(text) {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([header, payload]);
}
