// Where a child's inspector listens once it is started: see rescue.js, which is loaded only when it is needed.

const HOST = '127.0.0.1';

/** IANA's dynamic ports. */
const PORTS = Object.freeze({ first: 49152, count: 16384 });

/** Nobody need listen there yet; should the port be taken by then, there is no rescue. @returns {number} */
export function choosePort() {
  return PORTS.first + Math.floor(Math.random() * PORTS.count);
}

/** Flags for the child; the second keeps the address off its standard error. @param {number} port @returns {string[]} */
export function inspectorFlags(port) {
  return [`--inspect-port=${HOST}:${port}`, '--inspect-publish-uid=http'];
}
