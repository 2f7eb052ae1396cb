// Where the time goes, by wasm-trace-node: displays and files, with a clock that counts the same every time.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { makeFolder } from './cli-support.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = path.join(root, 'build/programs/json.wasm');
const COUNTING = ['--clock', 'instructions'];

/** What is reported of the program, with options, in a folder of its own. */
function report(t, ...options) {
  const folder = makeFolder(t, {});
  const args = [path.join(root, 'node/wasm-trace-node.js'), ...options, program];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^5 objects/);
  return { text: stderr, read: (name) => readFileSync(path.join(folder, name), 'utf8') };
}

test('a table of functions, the same every time, in the order asked for', (t) => {
  const all = [...COUNTING, '--limit', '100'];
  const { text } = report(t, ...all);
  assert.match(text, /Total \| +Self \| Self % \| +Calls \|.* p50 \| .*\| Function\n/);
  assert.match(text, /\| wasi_snapshot_preview1\.fd_write \(host\)\n/);
  assert.match(text, /\nclock: instructions, exact/);
  assert.equal(report(t, ...all).text, text);
  const byTotal = report(t, ...COUNTING, '--sort', 'total', '--limit', '3').text.split('\n');
  assert.match(byTotal[3], /\| _start$/);
  assert.match(byTotal[6], /^\(\d+ more functions left out/);
});

test('trees, callers and histograms by time', (t) => {
  const displays = ['tree', 'inverted', 'callers(parse_value)'].flatMap((display) => ['--display', display]);
  const { text } = report(t, ...COUNTING, ...displays);
  const parts = text.split('json.wasm\n').slice(1);
  assert.match(parts[0], /^ *Total \| Total % \| +Self \| Calls \|(?: Host Time \|)? Stack Frame\n.*\n.*\| _start\n/);
  assert.match(parts[1], /^ *Self \| Self % \| Calls \| Stack Frame\n/);
  assert.match(parts[2], /\| {5}report\n[^]*\| parse_value\n[^]*\| {5}skip_space\n/);
  for (const part of parts) assert.match(part, /\nclock: instructions, exact/);
  const durations = report(t, ...COUNTING, '--trace', 'duration:skip_space').text;
  assert.match(durations, /^json\.wasm\nduration\(skip_space\) in instructions: \d+ calls, p50 [\d.]+, p90 [\d.]+, p99 [\d.]+\n/);
});

test('files for other tools', (t) => {
  const folded = report(t, ...COUNTING, '--report', 'out.folded');
  assert.match(folded.text, /wasm-trace: report in out\.folded \(weights: instructions in the function itself, clock: instructions\)\n/);
  const lines = folded.read('out.folded').trim().split('\n');
  assert.ok(lines.every((line) => /^_start[^ ]* \d+$|^[^ ]+ \d+$/.test(line)), lines[0]);
  assert.ok(lines.some((line) => /^_start;__main_void;main;report;parse_value(;\S+)* \d+$/.test(line)));
  const speedscope = JSON.parse(report(t, ...COUNTING, '--report', 'out.speedscope.json').read('out.speedscope.json'));
  const [profile] = speedscope.profiles;
  const weights = lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  assert.deepEqual([profile.type, profile.unit], ['evented', 'none']);
  assert.ok(profile.endValue >= weights);
  const { traceEvents } = JSON.parse(report(t, ...COUNTING, '--report', 'out.trace.json').read('out.trace.json'));
  const [begins, ends] = ['B', 'E'].map((kind) => traceEvents.filter(({ ph }) => ph === kind).length);
  assert.ok(begins > 100);
  assert.deepEqual([begins, profile.events.length], [ends, begins + ends]);
});

test('all figures as JSON', (t) => {
  const { read } = report(t, ...COUNTING, '--report', 'out.json');
  const { version, sessions } = JSON.parse(read('out.json'));
  const [{ clock, time, functions, names }] = sessions;
  assert.deepEqual([version, clock.kind, clock.unit], [1, 'instructions', 'instructions']);
  const self = functions.items.reduce((sum, { time: { raw } }) => sum + raw.self, 0);
  assert.equal(self, time.raw.whole);
  assert.ok(functions.items.some(({ func }) => names[func] === 'parse_value'));
});

test('a complete trace, drained into a file, for other tools and as data', (t) => {
  const folder = makeFolder(t, {});
  const run = (command, ...args) => {
    const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } };
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'node', command), ...args], options);
    assert.equal(status, 0, stderr);
    return stderr;
  };
  const read = (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  run('wasm-trace-node.js', ...COUNTING, '--trace', 'calls', '--on-full', 'drain', '--buffer', '4K', '--drain-to', 'x.wtrace', program);
  const said = run('wasm-trace.js', 'report', '--report', 'x.speedscope.json', 'x.wtrace');
  assert.equal(said, 'wasm-trace: report in x.speedscope.json (in the order of time: instructions, clock: instructions)\n');
  run('wasm-trace.js', 'report', '--report', 'x.json', 'x.wtrace');
  const [{ calls, lostEvents }] = read('x.json').sessions;
  assert.deepEqual([lostEvents, calls.left, read('x.speedscope.json').profiles[0].events.length], [0, 0, calls.items.length * 2]);
  assert.ok(calls.items.length > 1000);
});
