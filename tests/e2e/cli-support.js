// What the tests of the wasm-trace commands share: the two commands, small modules, a folder to work in.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, inflateRawSync } from 'node:zlib';

import { unpackRecording } from '../../js/views/recorded.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Name and command line of both. */
export const COMMANDS = [
  { name: 'native', command: [path.join(root, 'build/native/wasm-trace')] },
  { name: 'node', command: [process.execPath, path.join(root, 'node/wasm-trace.js')] },
];

const text = (string) => [string.length, ...Buffer.from(string)];
const section = (id, ...content) => [id, content.length, ...content];

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** (func malloc (param i32) (result i32)), exported, and (func run), exported, which calls it; no name section. */
export const MODULE = Uint8Array.from([
  ...HEADER,
  ...section(1, 1, 0x60, 1, 0x7f, 1, 0x7f),
  ...section(3, 2, 0, 0),
  ...section(7, 2, ...text('malloc'), 0, 0, ...text('run'), 0, 1),
  ...section(10, 2, 4, 0, 0x20, 0, 0x0b, 6, 0, 0x20, 0, 0x10, 0, 0x0b),
]);

/** The same with a name section. */
export const NAMED_MODULE = Uint8Array.from([
  ...MODULE,
  ...section(0, ...text('name'), ...section(1, 2, 0, ...text('malloc'), 1, ...text('run'))),
]);

/** The same, but a different file. */
export const OTHER_MODULE = Uint8Array.from([...MODULE, ...section(0, ...text('build'), 2)]);

/** (import "env" "now" (func (result f64))), (import "a" "b\x1b.c" (func (result i64))) and an empty (func run), exported. */
export const CLOCK_MODULE = Uint8Array.from([
  ...HEADER,
  ...section(1, 3, 0x60, 0, 1, 0x7c, 0x60, 0, 1, 0x7e, 0x60, 0, 0),
  ...section(2, 2, ...text('env'), ...text('now'), 0, 0, ...text('a'), ...text('b\x1b.c'), 0, 1),
  ...section(3, 1, 2),
  ...section(7, 1, ...text('run'), 0, 2),
  ...section(10, 1, 2, 0, 0x0b),
]);

/** The header of a component. */
export const COMPONENT = Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0);

/** A module that ends in the middle of its code. */
export const CUT_MODULE = MODULE.subarray(0, MODULE.length - 2);

/** Makes a folder with these files (name: content), which goes away after the test. */
export function makeFolder(test, files = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasm-trace-test-'));
  test.after(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  return folder;
}

/** Runs a command in a folder. */
export function run({ command }, folder, args, options = {}) {
  const [program, ...before] = command;
  const result = spawnSync(program, [...before, ...args], { cwd: folder, encoding: 'utf8', ...options });
  if (result.error) throw result.error;
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** What stands in a folder: name -> content, unpacked when gzipped (the bytes of two compressors may differ). */
export function listFolder(folder) {
  const entries = readdirSync(folder).sort().map((name) => [name, describeFile(path.join(folder, name))]);
  return Object.fromEntries(entries);
}

function describeFile(file) {
  const status = lstatSync(file);
  if (status.isSymbolicLink()) return `-> ${readlinkSync(file)}`;
  if (!status.isFile()) return 'no file';
  const content = readFileSync(file);
  const unpacked = unpack(content);
  return `${(status.mode & 0o7777).toString(8)} ${unpacked ? 'gzip ' : ''}${(unpacked ?? content).toString('hex')}`;
}

/** null: not gzip, or damaged. */
function unpack(content) {
  try {
    return gunzipSync(content);
  } catch {
    return null;
  }
}

/** The recording in an HTML report of one process. @param {string} html */
export function recordedIn(html) {
  const [, json = ''] = /<script type="application\/json"[^>]*>([^<]*)<\/script>/.exec(html) ?? [];
  const [{ head, data }] = JSON.parse(json);
  return unpackRecording(head, inflateRawSync(Buffer.from(data, 'base64')));
}
