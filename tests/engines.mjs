// The engines that the tests and benchmarks run on: the Node that runs them, which links split, and others from npm. The
// newer Node has multi-memory and links merged.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFromNpm } from './npm.mjs';

const folder = fileURLToPath(new URL('../build/engines', import.meta.url));
const platform = `${process.platform}-${process.arch}`;

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {string} node path of its executable
 * @property {'merged' | 'split'} link how modules are linked in its tests
 */

/** @type {Engine} */
export const thisNode = { name: `Node ${process.versions.node}`, node: process.execPath, link: 'split' };

/**
 * The newer Node, installed first when it is not there yet.
 * @returns {Engine}
 */
export function newerEngine() {
  return nodeFromNpm('24.22.3');
}

/** The one between, whose module loader is like Node 20's. @returns {Engine} */
export function olderEngine() {
  return nodeFromNpm('22.23.5');
}

/** @returns {Engine} */
export function newestEngine() {
  return nodeFromNpm('26.12.1');
}

/** @param {string} version exact @returns {Engine} */
function nodeFromNpm(version) {
  return { name: `Node ${version}`, node: fromNpm(`node-${platform}`, version, 'bin/node'), link: 'merged' };
}

/** JavaScriptCore; runs scripts as Node does. @returns {Engine} */
export function bun() {
  const version = '1.4.5';
  return { name: `Bun ${version}`, node: fromNpm(`@oven/bun-${platform}`, version, 'bin/bun'), link: 'merged' };
}

/** Path of an executable in an npm package, which is installed first when it is not there yet. */
function fromNpm(name, version, executable) {
  const prefix = path.join(folder, version);
  const file = path.join(prefix, 'node_modules', name, executable);
  if (!existsSync(file)) installFromNpm(prefix, [`${name}@${version}`]);
  return file;
}
