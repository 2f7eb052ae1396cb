// The address to listen at.

import { FileError } from '../files.js';

/** Tried in a row when no port is asked for. */
const PORTS = Array.from({ length: 20 }, (_, i) => 8080 + i);
const ANY_PORT = 0;

/**
 * @param {import('node:http').Server} server
 * @param {string} host
 * @param {number} [port] left out: the first free one
 * @returns {Promise<{port: number, taken: number[]}>} taken: ports that others have
 * @throws {FileError}
 */
export async function listen(server, host, port) {
  const ports = port === undefined ? [...PORTS, ANY_PORT] : [port];
  for (const [at, candidate] of ports.entries()) {
    const error = await tryListen(server, host, candidate);
    if (error === null) return { port: portOf(server), taken: ports.slice(0, at) };
    if (error.code !== 'EADDRINUSE' || at === ports.length - 1) throw FileError.fromSystem(`${host}, port ${candidate}`, error);
  }
  throw new RangeError('no port is given');
}

/** @param {import('node:http').Server} server @param {string} host @param {number} port @returns {Promise<NodeJS.ErrnoException | null>} */
function tryListen(server, host, port) {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, () => {
      server.off('error', resolve);
      resolve(null);
    });
  });
}

/** @param {import('node:http').Server} server */
function portOf(server) {
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}
