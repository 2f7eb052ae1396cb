// Measurements that need a process of their own: nothing compiled yet, no memory touched yet.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script of this folder that prints its result as JSON.
 * @param {import('../engines.mjs').Engine} engine
 * @param {string} script
 * @param {readonly string[]} args
 * @param {readonly string[]} [flags] of the engine
 */
export function measure(engine, script, args, flags = []) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const { status, error, stdout, stderr } = spawnSync(engine.node, [...flags, file, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} failed on ${engine.name}: ${error?.message ?? stderr}`);
  return JSON.parse(stdout);
}
