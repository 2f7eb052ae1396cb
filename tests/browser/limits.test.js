// Limits of browsers that tracing comes closer to: Chromium compiles at most 8 MB at once on a page's main thread, and has 124
// memories for a page and its workers. Beyond them a page goes on untraced, and is told so once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assemble, leb } from '../core/assemble.js';
import { SECTION, join, name, section } from '../core/large-module.js';
import { MODULE } from '../e2e/loader-support.js';
import { inBrowsers } from './visit.js';

/** Most that Chromium compiles by `new WebAssembly.Module`. */
const SYNC_LIMIT = 8_388_608;

/** The module with a custom section that makes it as large as this. @param {number} size */
function padded(size) {
  const head = 1 + leb(size).length + name('padding').length;
  return join(MODULE, section(SECTION.CUSTOM, join(name('padding'), new Uint8Array(size - MODULE.length - head))));
}

const WITHOUT_MEMORY = await assemble(`(module
  (func $one (export "one") (param i32) (result i32)
    (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop) (nop)
    (i32.add (local.get 0) (i32.const 1))))`);

/** Runs in the page. */
const compileNow = async () => {
  const bytes = new Uint8Array(await (await fetch('/large.wasm')).arrayBuffer());
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.twice(21);
  } catch (error) {
    return String(error);
  }
};

/** Runs in the page. */
const compileLater = async () => {
  const module = await WebAssembly.compileStreaming(fetch('/large.wasm'));
  try {
    return new WebAssembly.Instance(module).exports.twice(21);
  } catch (error) {
    return String(error);
  }
};

/** Runs in the page. @param {number} count of instances, all of them alive */
const instantiateMany = async (count) => {
  const module = await WebAssembly.compileStreaming(fetch('/small.wasm'));
  const instances = Array.from({ length: count }, () => new WebAssembly.Instance(module));
  return instances.reduce((sum, { exports }) => exports.one?.(sum) ?? sum + exports.add(1, 0), 0);
};

/** Runs in the page. @param {number} count */
const instantiateManyLater = async (count) => {
  const bytes = await (await fetch('/small.wasm')).arrayBuffer();
  let sum = 0;
  const instances = [];
  for (let i = 0; i < count; i++) {
    const { instance } = await WebAssembly.instantiate(bytes);
    instances.push(instance);
    sum = instance.exports.one(sum);
  }
  return [sum, instances.length];
};

const CALLS = 'data-trace="calls(*)" data-display="tree"';

inBrowsers((visit, browser) => {
  const isLimited = browser === 'chromium';

  /** What a page with and without the script comes to. */
  const compare = async ({ script = CALLS, ...what }) => {
    const { value: untraced } = await visit({ ...what, script: null });
    return { untraced, ...(await visit({ ...what, script, report: 'tree' })) };
  };

  for (const [way, run] of Object.entries({ 'new Module': compileNow, 'compileStreaming, new Instance': compileLater })) {
    test(`${way}: well below 8 MB a module is traced`, async () => {
      const { untraced, value, report, messages } = await compare({ files: { '/large.wasm': padded(SYNC_LIMIT - 100_000) }, run });
      assert.deepEqual([untraced, value, messages], [42, 42, []]);
      assert.match(report, /2 \|          1 \| twice/);
    });

    test(`${way}: just below 8 MB it works, traced or not`, async () => {
      const { untraced, value, report, messages } = await compare({ files: { '/large.wasm': padded(SYNC_LIMIT) }, run });
      assert.deepEqual([untraced, value], [42, 42]);
      if (isLimited) assert.match(messages.join('\n'), /^warn: wasm-trace: .* runs untraced: .*8MB.*$/);
      else assert.match(report, /2 \|          1 \| twice/);
    });

    test(`${way}: beyond 8 MB the browser says what it always says`, async () => {
      const { untraced, value } = await compare({ files: { '/large.wasm': padded(SYNC_LIMIT + 1) }, run });
      assert.equal(value, untraced);
      if (isLimited) assert.match(value, /^RangeError: .*8MB/);
    });
  }

  for (const [way, run, count, sum] of [
    ['new Instance', instantiateMany, 200, 200],
    ['instantiate', instantiateManyLater, 200, [200, 200]],
  ]) {
    test(`200 instances without a memory, by ${way}`, async () => {
      const { untraced, value, messages, report } = await compare({ files: { '/small.wasm': WITHOUT_MEMORY }, run, arg: count });
      assert.deepEqual([untraced, value], [sum, sum]);
      assert.match(report, /\| one/);
      assert.equal(messages.length, isLimited ? 1 : 0, messages.join('\n'));
      if (isLimited) assert.match(messages[0], /^warn: wasm-trace: .*memor/);
    });
  }

  test('100 instances that have a memory each', async () => {
    const { untraced, value, messages } = await compare({ files: { '/small.wasm': MODULE }, run: instantiateMany, arg: 100 });
    assert.deepEqual([untraced, value], [100, 100]);
    assert.equal(messages.length, isLimited ? 1 : 0, messages.join('\n'));
  });

  test('split, 100 instances that have a memory each', async () => {
    const script = `${CALLS} data-link="split"`;
    const { untraced, value, messages } = await compare({ script, files: { '/small.wasm': MODULE }, run: instantiateMany, arg: 100 });
    assert.deepEqual([untraced, value], [100, 100]);
    assert.equal(messages.length, isLimited ? 1 : 0, messages.join('\n'));
  });
});
