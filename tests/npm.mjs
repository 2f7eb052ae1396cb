// Packages from npm that only tests want, each set in a folder of its own under build/.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** @param {string} prefix folder, made when it is not there @param {readonly string[]} specs exact, as in `name@1.2.3` */
export function installFromNpm(prefix, specs) {
  mkdirSync(prefix, { recursive: true });
  const args = ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', ...specs];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot install ${specs.join(' ')} for the tests: ${stderr}`);
}
