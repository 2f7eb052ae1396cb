// The engines that the tests run on: the Node that runs them, which links split, and a newer one from npm, which has
// multi-memory and links merged.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NEWER = '24.22.3';

const folder = fileURLToPath(new URL('../build/engines', import.meta.url));
const newerPackage = `node-${process.platform}-${process.arch}`;
const newerNode = path.join(folder, NEWER, 'node_modules', newerPackage, 'bin/node');

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
  if (!existsSync(newerNode)) install();
  return { name: `Node ${NEWER}`, node: newerNode, link: 'merged' };
}

function install() {
  const prefix = path.join(folder, NEWER);
  mkdirSync(prefix, { recursive: true });
  const args = ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', `${newerPackage}@${NEWER}`];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot install Node ${NEWER} for the tests: ${stderr}`);
}
