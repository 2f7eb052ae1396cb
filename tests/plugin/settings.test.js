// The plugin's options, the WASM_TRACE variable, and what becomes of them in the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModuleFacts } from '../../js/loader/module-facts.js';
import { UsageError } from '../../node/options.js';
import { rewriteBytes } from '../../plugin/modules.js';
import { tagAttributes } from '../../plugin/page-script.js';
import { announcement, injects, pageQuestion, readSettings } from '../../plugin/settings.js';
import { readPageOptions } from '../../web/loader/options.js';
import { assemble } from '../core/assemble.js';

/** @param {import('../../plugin/settings.js').PluginOptions} options @param {string} [text] */
function read(options, text) {
  const settings = readSettings(options, text);
  assert.ok(settings);
  return settings;
}

test('without a question: calls, and the panel', () => {
  assert.deepEqual(read({}).question, { trace: 'calls', panel: 'right' });
  assert.deepEqual(read({ panel: 'bottom' }).question, { trace: 'calls', panel: 'bottom' });
  assert.deepEqual(read({ trace: 'imports' }, '').question, { trace: 'imports' });
});

test('WASM_TRACE=0 switches off', () => {
  assert.equal(readSettings({ trace: 'calls', inject: true }, '0'), null);
});

test('WASM_TRACE asks in the place of the options, and of any build', () => {
  const settings = read({ trace: 'calls', display: 'tree', hide: 'a', panel: 'right' }, '--trace "arg(0, malloc)" --stack');
  assert.deepEqual(settings.question, { trace: ['arg(0, malloc)'], stack: true, panel: 'right' });
  assert.equal(injects(settings, false), true);
  assert.throws(() => readSettings({}, '--trase calls'), /^UsageError: WASM_TRACE: unknown option --trase; did you mean --trace\?/);
});

test('clocks and windows are asked for as of wasm-trace-node, but a page has no files', () => {
  const asked = '--trace calls --clock instructions --during f --from g --until h --skip 1 --max-events 2 --on-full stop --stopped --sort self --recursion --compensate';
  const times = { clock: 'instructions', during: ['f'], from: ['g'], until: ['h'], skip: 1, maxEvents: 2, onFull: 'stop', stopped: true, sort: 'self', recursion: true, compensate: true };
  assert.deepEqual(read({}, asked).question, { trace: ['calls'], ...times });
  assert.deepEqual(read(/** @type {any} */ ({ trace: 'calls', ...times })).question, { trace: 'calls', ...times });
  for (const option of ['--on-full drain', '--weights internet-computer'])
    assert.throws(() => readSettings({}, `--trace calls ${option}`), new UsageError(`WASM_TRACE: ${option.split(' ')[0]} ${option.split(' ')[1]} is not for pages`));
});

test('modules of a build are rewritten with their clock and windows', async () => {
  const bytes = await assemble('(module (func $f (export "f")))');
  const { bytes: rewritten } = rewriteBytes('a.wasm', bytes, { trace: 'calls(*)', clock: 'host', from: 'f', maxEvents: 5 });
  const { clock } = ModuleFacts.ofModule(new WebAssembly.Module(/** @type {BufferSource} */ (rewritten))).metadata;
  assert.equal(clock?.kind, 'host');
  assert.notDeepEqual(rewritten, rewriteBytes('a.wasm', bytes, { trace: 'calls(*)', clock: 'host' }).bytes);
});

test('a build is left alone unless it is asked for', () => {
  assert.deepEqual([true, false].map((developing) => injects(read({}), developing)), [true, false]);
  assert.equal(injects(read({ instrument: true }), false), true);
  assert.equal(injects(read({ inject: false }), true), false);
});

test('where modules were rewritten, the page attaches', () => {
  const settings = read({ trace: ['calls', 'imports'], panel: 'right' });
  assert.deepEqual(pageQuestion(settings, true), { trace: [], panel: 'right' });
  assert.deepEqual(pageQuestion(settings, false), { trace: ['calls', 'imports'], panel: 'right' });
});

test('the announcement has the question and the way out', () => {
  assert.equal(announcement(read({ trace: ['calls', 'ret(f)'] })), 'tracing calls ret(f); WASM_TRACE=0 switches it off');
});

for (const question of [
  { trace: ['calls', 'arg(0, malloc)', 'args("a \\"b\\"")', "calls(it's)"], display: ['tree', 'log'], minSize: 0, stack: true, panel: 'right' },
  { trace: [], button: false, buffer: '64K', link: 'split', onTrap: '/traps' },
]) {
  test(`the page script reads what the tag says: ${JSON.stringify(question)}`, () => {
    const attributes = Object.entries(tagAttributes(/** @type {any} */ (question)));
    const camel = (/** @type {string} */ name) => name.slice(5).replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    const dataset = Object.fromEntries(attributes.map(([name, value]) => [camel(name), value]));
    assert.deepEqual(readPageOptions({ dataset, search: '' }), { options: question, problems: [] });
  });
}
