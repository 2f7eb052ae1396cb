// wasm-trace serve DIR: a server for pages on this machine that traces what they load. It ends by Ctrl-C.

import { realpathSync, statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

import { FileError } from '../files.js';
import { warn } from '../messages.js';
import { checkDisplays, checkProbes } from '../probes.js';
import { listen } from '../server/listen.js';
import { readStartTexts } from '../server/page-script.js';
import { PREFIX, scriptTag, workerOptions } from '../server/script-tag.js';
import { createSite } from '../server/site.js';
import { Terminal } from '../server/terminal.js';

/** @typedef {import('../options.js').Options} Options */

const LOOPBACK = '127.0.0.1';
const ENDS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * @param {Options} options
 * @param {string} folder
 * @returns {Promise<number>} exit status, once it is told to end
 * @throws {FileError | import('../options.js').UsageError}
 */
export async function serve(options, folder) {
  checkProbes(options);
  if (options.display.length > 0) checkDisplays(options);
  const host = options.host ?? LOOPBACK;
  const server = createSite({
    root: readRoot(folder),
    tag: scriptTag(options),
    texts: await readStartTexts(workerOptions(options)),
    isolate: options.isolate,
    isOpen: !isLoopback(host),
    terminal: new Terminal(process.stdout),
  });
  const { port, taken } = await listen(server, host, options.port);
  if (taken.length > 0) warn(`port ${taken[0]} is in use, so this is ${port}`);
  if (!isLoopback(host)) warn(`warning: whoever reaches ${host} can read all files in ${folder}`);
  process.stdout.write(startText(options, folder, addresses(host, port)));
  await ended(server);
  return 0;
}

/** @param {string} folder @throws {FileError} */
function readRoot(folder) {
  try {
    const root = realpathSync(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    throw FileError.fromSystem(folder, error);
  }
  throw new FileError(folder, 'is no directory');
}

/** @param {string} host */
function isLoopback(host) {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);
}

/** @param {string} host @param {number} port @returns {string[]} where browsers find the server, this machine's first */
function addresses(host, port) {
  const isAny = host === '0.0.0.0' || host === '::';
  const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = others.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  return (isAny ? [LOOPBACK, ...outside] : [host]).map((one) => `http://${isIPv6(one) ? `[${one}]` : one}:${port}/`);
}

/** @param {Options} options @param {string} folder @param {readonly string[]} urls */
function startText({ trace, isolate }, folder, urls) {
  const traced = trace.length > 0 ? trace.join(', ') : 'an overview, calls and host calls (--trace asks for more)';
  // By another name it is another site, which browsers run in a process of its own: that one answers while the page hangs.
  const tab = urls[0].replace(LOOPBACK, 'localhost').slice(0, -1);
  const watch = isolate ? `  when a page hangs: shown here, and at ${tab}${PREFIX}hang\n` : '';
  return `serving ${folder} at ${urls.join(' ')}\n  traced: ${traced}\n${watch}  Ctrl-C ends it\n`;
}

/** Connections that are open are closed. @param {import('node:http').Server} server @returns {Promise<void>} */
function ended(server) {
  return new Promise((resolve) => {
    const end = () => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    for (const signal of ENDS) process.once(signal, end);
  });
}
