// Running the commands that set-up consists of, and remembering what is done.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const build = path.join(root, 'build');

/** A failure whose message says all there is to say. */
export class SetupError extends Error {
  name = 'SetupError';
}

/** Path of a command in PATH, or null. */
export function which(command) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder || '.', command);
    if (isExecutable(file)) return file;
  }
  return null;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Output of a command, trimmed, or null when it is missing or fails. */
export function outputOf(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Runs a command in the repository with our input and outputs; returns its exit status. */
export function run(command, args, env = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error) throw new SetupError(`cannot run ${command}: ${error.message}`);
  if (signal) throw new SetupError(`${command} was ended by ${signal}`);
  return status;
}

/** Runs a step of set-up: says what it is, and shows its output only on a terminal or when it fails. */
export function step(title, command, args, env = {}) {
  console.error(`${title} ...`);
  const output = process.stderr.isTTY ? 2 : 'pipe';
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', output, output],
  });
  if (status === 0) return;
  const reason = error ? error.message : `exit status ${status}`;
  throw new SetupError(`${stdout ?? ''}${stderr ?? ''}\n${title}: ${[command, ...args].join(' ')}: ${reason}`.trim());
}

/** Does `work` unless the stamp file says that it was done for the same `key`. */
export function once(stamp, key, work) {
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  if (readOrNull(stamp) === hash) return;
  work();
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

function readOrNull(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
