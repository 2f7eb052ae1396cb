// Text modules of this folder -> binaries under build/bench.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @param {string} name @returns {string} path of the binary */
export function assemble(name) {
  const folder = fileURLToPath(new URL('../../build/bench', import.meta.url));
  const output = path.join(folder, `${name}.wasm`);
  mkdirSync(folder, { recursive: true });
  const source = fileURLToPath(new URL(`${name}.wat`, import.meta.url));
  const { status, error, stderr } = spawnSync('wat2wasm', [source, '-o', output], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`wat2wasm ${source}: ${error?.message ?? stderr}`);
  return output;
}
