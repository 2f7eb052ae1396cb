// Runs the tools that the suites consist of.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs a command in the root folder; its output is shown only when it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{env?: Record<string, string>, closing: RegExp}} how closing: the lines of the output that are worth a report
 * @returns {{passed: boolean, closing: string[]}}
 */
export function run(command, args, { env = {}, closing }) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 29,
  });
  const output = `${stdout}${stderr}`;
  if (status !== 0) process.stdout.write(error ? `${error.message}\n` : `\n${output}`);
  const lines = output.split('\n').filter((line) => closing.test(line));
  return { passed: status === 0, closing: lines.map((line) => line.trim()) };
}
