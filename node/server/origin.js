// Who asks. A page of another site can send requests here, and with a name that it lets point to this machine it could read answers too.

/** @typedef {import('node:http').IncomingMessage} Request */

/**
 * Whether a server of this machine alone is asked for by a name of this machine. Numbers are no names that anybody can redirect.
 * @param {Request} request
 */
export function isLocalName({ headers }) {
  const name = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  return /^(?:(?:.+\.)?localhost|\[[\da-f:.]+\]|\d+\.\d+\.\d+\.\d+)$/.test(name);
}

/**
 * Whether a request is from a page of this server, or from a program that is no browser.
 * @param {Request} request
 */
export function isSameOrigin({ headers }) {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || headers.origin === `http://${headers.host}`;
}
