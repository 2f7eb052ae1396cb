// The two big modules that are instrumented, from npm into the build folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../build/bench', import.meta.url));

const PACKAGES = [
  { name: 'esbuild-wasm', version: '0.28.2', file: 'esbuild.wasm' },
  { name: '@ffmpeg/core', version: '0.12.10', file: 'dist/esm/ffmpeg-core.wasm' },
];

const located = PACKAGES.map((row) => ({
  spec: `${row.name}@${row.version}`,
  path: path.join(folder, row.version, 'node_modules', row.name, row.file),
  prefix: path.join(folder, row.version),
}));

/**
 * Installs what is missing.
 * @returns {{name: string, path: string, size: number}[]}
 */
export function bigModules() {
  return located.map((row) => {
    if (!existsSync(row.path)) install(row);
    return { name: path.basename(row.path), path: row.path, size: statSync(row.path).size };
  });
}

function install({ prefix, spec }) {
  console.log(`Installing ${spec} ...`);
  mkdirSync(prefix, { recursive: true });
  const args = ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', spec];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot install ${spec}: ${stderr}`);
}
