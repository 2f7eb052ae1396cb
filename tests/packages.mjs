// What tests need from npm beside the development dependencies: installed when a test first asks for it, below build/.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './command.mjs';
import { installFromNpm } from './npm.mjs';

const folder = path.join(root, 'build/packages');

const BUNDLERS = [
  'vite@8.4.0', 'webpack@5.113.0', 'webpack-dev-server@6.1.0', 'rollup@4.68.8', 'esbuild@0.28.2', '@rollup/plugin-wasm@6.2.2',
  '@rollup/plugin-url@8.0.2', '@rspack/core@2.3.4',
];

/** The folder in which bundlers are installed. */
export function bundlers() {
  return packages('bundlers', BUNDLERS);
}

/** speedscope has the schema of its files, ajv holds files against schemas. */
const SPEEDSCOPE = ['speedscope@1.25.0', 'ajv@8.17.1'];

/** The folder in which speedscope is installed. */
export function speedscope() {
  return packages('speedscope', SPEEDSCOPE);
}

/**
 * A folder with packages in its node_modules, and this one beside them.
 * @param {string} name of the folder
 * @param {readonly string[]} specs packages with exact versions
 * @returns {string} path
 */
function packages(name, specs) {
  const prefix = path.join(folder, name);
  const stamp = path.join(prefix, '.installed');
  const wanted = specs.join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return prefix;
  installFromNpm(prefix, specs);
  const own = path.join(prefix, 'node_modules/wasm-tracing');
  if (!existsSync(own)) symlinkSync(root, own, 'junction');
  writeFileSync(stamp, wanted);
  return prefix;
}
