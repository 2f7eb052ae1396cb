// The page script itself: how it is asked, how it answers, and that it leaves nothing behind.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assemble } from '../core/assemble.js';
import { MODULE, TRAP_MODULE } from '../e2e/loader-support.js';
import { inBrowsers } from './visit.js';

const NOPS = '(nop) '.repeat(16);

/** div(a, b), exported, calls quotient, which traps when b is 0; seven(), exported, calls the host. */
const DIVIDE = await assemble(`(module
  (import "env" "tell" (func $tell (param i32)))
  (memory (export "memory") 1)
  (func $quotient (param i32 i32) (result i32) ${NOPS} (i32.div_s (local.get 0) (local.get 1)))
  (func $div (export "div") (param i32 i32) (result i32) ${NOPS} (call $quotient (local.get 0) (local.get 1)))
  (func $seven (export "seven") (result i32) ${NOPS} (call $tell (i32.const 7)) (i32.const 7)))`);

const FILES = { '/add.wasm': MODULE, '/divide.wasm': DIVIDE, '/trap.wasm': TRAP_MODULE };

/** Runs in the page. @returns {Promise<number>} */
const twice = async () => (await WebAssembly.instantiateStreaming(fetch('/add.wasm'))).instance.exports.twice(21);

const TREE = `add.wasm
Total Count | Self Count | Stack Frame
------------+------------+------------------------
          2 |          1 | twice
          1 |          1 | └── add
`;

const INVERTED = `add.wasm
Total Count | Self Count | Stack Frame
------------+------------+------------------------
          1 |          1 | twice
          1 |          0 | └── (host)
          1 |          1 | add
          1 |          0 | └── twice
          1 |          0 |     └── (host)
`;

const REPORT = `add.wasm
Calls | Calls % | Function
------+---------+------------------------
    1 |    50.0 | add
    1 |    50.0 | twice
(no clock: calls only; --clock auto measures time)
`;

const NESTED = `add.wasm
call twice
  call add
  return from add
return from twice
`;

const HISTOGRAM = `add.wasm
arg(0, add): 1 value
value  ------------- Distribution ------------- count
    8 |                                         0
   16 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1
   32 |                                         0
`;

const TRAPPED = `divide.wasm
call div
  call quotient
  unwound quotient
unwound div

trap: divide by zero in quotient at byte N (divide.wasm)
  stack:
    quotient at byte N
    div at byte N
  last events:
    call div
      call quotient
`;

const OVERVIEW = `1 module
  add.wasm: 113 bytes, 2 functions (1 traced, 1 too small), has names

called most
  1  twice

to go deeper
  data-trace="args(twice)"
  data-trace="calls"
  data-trace="calls" data-invert
`;

inBrowsers((visit, browser) => {
  const see = (what) => visit({ files: FILES, run: twice, ...what });

  describe('the question', () => {
    /** Each with the report that answers it. */
    const rows = [
      ['attributes', { script: 'data-trace="calls(*)" data-display="nested"' }, NESTED],
      ['several probes', { script: 'data-trace="calls(twice) calls(add)"' }, NESTED],
      ['a histogram', { script: 'data-trace="arg(0, add)" data-display="histogram"' }, HISTOGRAM],
      ['who called', { script: 'data-trace="calls(*)" data-display="inverted"' }, INVERTED],
      ['what is called most', { script: 'data-trace="calls(*)" data-clock="none" data-sort="calls"' }, REPORT],
      ['one that hides', { script: 'data-trace="calls(*)" data-hide="add"' }, 'add.wasm\ncall twice\nreturn from twice\n'],
      ['the address', { query: '?wasm-trace=calls(*)&wasm-trace-display=nested' }, NESTED],
      ['the address before attributes', { script: 'data-trace="imports" data-display="tree"', query: '?wasm-trace=calls(*)&wasm-trace-display=nested' }, NESTED],
      ['several in the address', { query: '?wasm-trace=calls(twice)&wasm-trace=calls(add)' }, NESTED],
      ['tiny functions too', { script: 'data-trace="calls" data-min-size="0"' }, TREE],
      ['install', { script: 'data-trace=""', head: `<script src="/install.js"></script>` }, NESTED],
    ];
    for (const [name, what, report] of rows) {
      test(name, async () => {
        const files = { ...FILES, '/install.js': `wasmTrace.install({ trace: 'calls(*)', display: 'nested' });` };
        const run = async () => {
          await WebAssembly.instantiateStreaming(fetch('/add.wasm')).then(({ instance }) => instance.exports.twice(21));
          return wasmTrace.report();
        };
        const seen = await see({ ...what, files, run });
        assert.deepEqual([seen.value, seen.messages], [report, []]);
      });
    }

    test('none: an overview', async () => {
      const run = async () => {
        await WebAssembly.instantiateStreaming(fetch('/add.wasm')).then(({ instance }) => instance.exports.twice(21));
        return wasmTrace.report();
      };
      const { value, messages } = await see({ run });
      assert.deepEqual(messages, []);
      assert.equal(value, OVERVIEW);
    });

    test('one that nobody understands: the page goes on, and is told', async () => {
      const { value, messages } = await see({ script: 'data-trace="call(*" data-display="picture" data-limit="many"' });
      assert.equal(value, 42);
      assert.equal(messages.length, 3, messages.join('\n'));
      for (const name of ['data-trace', 'data-display', 'data-limit']) {
        assert.ok(messages.some((message) => message.startsWith(`warn: wasm-trace: ${name}: `)), messages.join('\n'));
      }
    });

    test('one that matches nothing', async () => {
      const { value, report, messages } = await see({ script: 'data-trace="calls(twise)"', report: 'tree' });
      assert.deepEqual([value, messages], [42, []]);
      assert.match(report, /twise.*twice/s);
    });
  });

  describe('a script that is not the first', () => {
    const rows = {
      async: '<script async src="/web/wasm-trace.js" data-trace="calls(*)"></script>',
      defer: '<script defer src="/web/wasm-trace.js" data-trace="calls(*)"></script>',
      'added later': `<script src="/add.js"></script>`,
    };
    for (const [name, tag] of Object.entries(rows)) {
      test(`${name}: says so, and traces what comes after`, async () => {
        const files = {
          ...FILES,
          '/add.js': `addEventListener('load', () => {
            const script = document.createElement('script');
            script.src = '/web/wasm-trace.js';
            script.dataset.trace = 'calls(*)';
            document.head.append(script);
          });`,
        };
        const run = async () => {
          while (!globalThis.wasmTrace) await new Promise((resolve) => setTimeout(resolve, 5));
          return WebAssembly.instantiateStreaming(fetch('/add.wasm')).then(({ instance }) => instance.exports.twice(21));
        };
        const { value, report, messages } = await see({ script: null, head: tag, files, run, report: 'tree' });
        assert.deepEqual([value, report], [42, TREE]);
        assert.equal(messages.length, 1);
        assert.match(messages[0], /^warn: wasm-trace: this script .*: modules that were loaded before are not traced/);
      });
    }
  });

  test('a second script changes nothing, and that it is there is said', async () => {
    const head = '<script src="/web/wasm-trace.js" data-trace="calls(*)" data-display="tree"></script>';
    const { value, report, messages } = await see({ script: 'data-trace="calls(*)" data-display="tree"', head, report: 'tree' });
    assert.deepEqual([value, report, messages], [42, TREE, ['warn: wasm-trace: this script is there twice: what the second one asks counts']]);
  });

  test('the module', async () => {
    const run = async () => {
      const { default: wasmTrace, install, version } = await import('/web/wasm-trace.mjs');
      install({ trace: 'calls(*)', display: 'tree' });
      await WebAssembly.instantiateStreaming(fetch('/add.wasm')).then(({ instance }) => instance.exports.twice(21));
      return [wasmTrace === globalThis.wasmTrace, version === wasmTrace.version, wasmTrace.report()];
    };
    const { value, messages } = await see({ script: null, run });
    assert.deepEqual([value, messages], [[true, true, TREE], []]);
  });

  test('reports, snapshots and JSON', async () => {
    const run = async () => {
      await WebAssembly.instantiateStreaming(fetch('/add.wasm')).then(({ instance }) => instance.exports.twice(21));
      const [snapshot] = wasmTrace.snapshot();
      const { version, sessions: [{ name, calls }] } = wasmTrace.json();
      return {
        reports: ['tree', 'nested'].map((kind) => wasmTrace.report(kind)),
        inverted: wasmTrace.report('tree', { invert: true }),
        events: Number(snapshot.ringEvents),
        json: [version, name, calls.items.length],
      };
    };
    const { value } = await see({ script: 'data-trace="calls(*)" data-display="tree nested"', run });
    assert.deepEqual(value, {
      reports: [TREE, NESTED],
      inverted: INVERTED,
      events: 4,
      json: [1, 'add.wasm', 2],
    });
  });

  test('another question for the modules to come', async () => {
    const run = async () => {
      const call = async () => (await WebAssembly.instantiateStreaming(fetch('/add.wasm'))).instance.exports.twice(21);
      await call();
      wasmTrace.trace('arg(0, add)');
      await call();
      wasmTrace.clear();
      await call();
      return wasmTrace.report();
    };
    const { value } = await see({ script: 'data-trace="calls(*)" data-display="nested"', run });
    assert.equal(value, 'add.wasm#3\nadd(21)\n');
  });

  describe('a trap', () => {
    const divide = async () => {
      const { instance } = await WebAssembly.instantiateStreaming(fetch('/divide.wasm'), { env: { tell() {} } });
      setTimeout(() => instance.exports.div(12345678, 0));
      await new Promise((resolve) => addEventListener('error', () => setTimeout(resolve, 100)));
      const { text, page, tool, bytes } = globalThis.trapped?.[0] ?? {};
      return { text, size: bytes?.length, isJson: bytes && new TextDecoder().decode(bytes), page, tool, count: globalThis.trapped?.length };
    };
    const keeps = `<script src="/keep.js"></script>`;
    const files = { ...FILES, '/keep.js': 'globalThis.trapped = []; function onTrap(report, bytes) { trapped.push({ ...report, bytes }); }' };
    const text = /^trap: (integer )?divide by zero in quotient at byte \d+/;

    test('is given to a function of the page, without values', async () => {
      const script = 'data-trace="traps args(*)" data-on-trap="onTrap"';
      const { value } = await see({ script, head: keeps, files, run: divide });
      assert.equal(value.count, 1);
      assert.match(value.text, text);
      assert.ok(value.size < 256 * 1024);
      assert.doesNotMatch(value.isJson, /12345678/);
    });

    test('with values, when they are asked for', async () => {
      const script = 'data-trace="traps args(*)" data-on-trap="onTrap" data-values';
      const { value } = await see({ script, head: keeps, files, run: divide });
      assert.match(value.isJson, /12345678/);
    });

    test('is posted to an address', async () => {
      /** @type {(body: Buffer) => void} */
      let take = () => {};
      const posted = new Promise((resolve) => (take = resolve));
      const script = 'data-trace="traps" data-on-trap="/traps"';
      const inspect = async () => assert.match(JSON.parse(await posted).text, text);
      await see({ script, files: { ...FILES, '/traps': take }, run: divide, inspect });
    });

    test('after a million calls the file is still small', async () => {
      const run = async () => {
        const { instance } = await WebAssembly.instantiateStreaming(fetch('/divide.wasm'), { env: { tell() {} } });
        for (let i = 0; i < 1_000_000; i++) instance.exports.div(i, 3);
        setTimeout(() => instance.exports.div(1, 0));
        await new Promise((resolve) => addEventListener('error', () => setTimeout(resolve, 500)));
        return globalThis.trapped.map(({ bytes }) => bytes.length);
      };
      const script = 'data-trace="calls args(*) traps" data-display="log tree" data-on-trap="onTrap"';
      const { value } = await see({ script, head: keeps, files, run });
      assert.ok(value.length === 1 && value[0] < 256 * 1024 && value[0] > 10_000, String(value));
    });

    test('in a worker, and in a promise that nobody waits for', async () => {
      const program = `WebAssembly.instantiateStreaming(fetch('divide.wasm'), { env: { tell() {} } }).then(({ instance }) => instance.exports.div(1, 0));`;
      const run = async () => {
        new Worker('/divide.js').onerror = () => {};
        while (globalThis.trapped.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        return globalThis.trapped[0].text;
      };
      const script = 'data-trace="traps" data-on-trap="onTrap"';
      const { value } = await see({ script, head: keeps, files: { ...files, '/divide.js': program }, run });
      assert.match(value, text);
    });

    test('is in the report', async () => {
      const { report } = await see({ script: 'data-trace="traps"', run: divide, report: 'nested' });
      assert.equal(report.replaceAll(/byte \d+/g, 'byte N').replace('integer divide', 'divide'), TRAPPED);
    });
  });

  describe('uninstall', () => {
    /** Runs before any other script: what a page can see of the functions that are patched. */
    const describeRealm = `globalThis.describeRealm = () => {
      const owners = { window, WebAssembly, Module: WebAssembly.Module, Instance: WebAssembly.Instance, modules: WebAssembly.Module.prototype,
        instances: WebAssembly.Instance.prototype, Worker, workers: Worker.prototype, responses: Response.prototype,
        requests: XMLHttpRequest.prototype, frames: HTMLIFrameElement.prototype, errors: Error, arrays: Array.prototype };
      globalThis.realm ??= new Map();
      const changes = [];
      for (const [name, owner] of Object.entries(owners)) {
        for (const key of Reflect.ownKeys(owner)) {
          if (owner === window && (!/^(Worker|WebAssembly|fetch|Response|XMLHttpRequest|HTMLIFrameElement)$/.test(String(key)))) continue;
          const id = name + '.' + String(key);
          const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(owner, key);
          const before = realm.get(id);
          if (!before) realm.set(id, { value, get, set, flags: JSON.stringify(flags) });
          else if (before.value !== value || before.get !== get || before.set !== set || before.flags !== JSON.stringify(flags)) changes.push(id);
        }
      }
      return changes;
    };
    describeRealm();`;

    const html = `<!doctype html><meta charset="utf-8"><script src="/realm.js"></script>
      <script src="/web/wasm-trace.js" data-trace="calls(*)" data-display="tree"></script><script src="/run.js"></script>`;

    test('gives everything back; what was recorded stays', async () => {
      const run = async () => {
        const call = async () => (await WebAssembly.instantiateStreaming(fetch('/add.wasm'))).instance.exports.twice(21);
        await call();
        const during = describeRealm();
        wasmTrace.uninstall();
        const after = describeRealm();
        await call();
        return { during: during.includes('WebAssembly.instantiate'), after, report: wasmTrace.report() };
      };
      const { value, messages } = await see({ html, files: { ...FILES, '/realm.js': describeRealm }, run });
      assert.deepEqual([value, messages], [{ during: true, after: [], report: TREE }, []]);
    });

    test('installed again, it traces again', async () => {
      const run = async () => {
        const call = async () => (await WebAssembly.instantiateStreaming(fetch('/add.wasm'))).instance.exports.twice(21);
        wasmTrace.uninstall();
        await call();
        wasmTrace.install({ trace: 'calls(*)', display: 'tree' });
        await call();
        return wasmTrace.report();
      };
      const { value } = await see({ script: 'data-trace="calls(*)"', run });
      assert.equal(value, TREE);
    });
  });

  test('JavaScript promise integration', async () => {
    const suspending = await assemble(`(module
      (import "env" "sleep" (func $sleep (param i32) (result i32)))
      (func $inner (param i32) (result i32) ${NOPS} (call $sleep (local.get 0)))
      (func $task (export "task") (param i32) (result i32) ${NOPS} (i32.add (call $inner (local.get 0)) (i32.const 1))))`);
    const run = async () => {
      if (!WebAssembly.Suspending) return null;
      const sleep = new WebAssembly.Suspending((n) => new Promise((resolve) => setTimeout(() => resolve(n * 2), 30 / n)));
      const { instance } = await WebAssembly.instantiateStreaming(fetch('/suspending.wasm'), { env: { sleep } });
      const task = WebAssembly.promising(instance.exports.task);
      return Promise.all([task(1), task(2), task(3)]);
    };
    const files = { ...FILES, '/suspending.wasm': suspending };
    const { value, report, messages } = await see({ script: 'data-trace="calls(*)" data-display="tree"', files, run, report: 'tree' });
    if (value === null) return;
    assert.deepEqual([browser, value, messages], [browser, [3, 5, 7], []]);
    assert.match(report, /6 \| {10}3 \| task\n {10}3 \| {10}3 \| └── inner\n/);
  });

  test('rejected with what does not become text', async () => {
    const run = async () => {
      addEventListener('unhandledrejection', (event) => event.preventDefault());
      void Promise.reject(Object.create(null));
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const untraced = await see({ script: null, run });
    const { errors } = await see({ script: 'data-trace="traps"', run });
    assert.deepEqual(errors, untraced.errors);
  });

  test('the button that saves the report', async () => {
    const find = () => [...document.querySelectorAll('wasm-trace-button')].map(({ shadowRoot }) => shadowRoot.querySelector('button').textContent);
    /** @type {string[][]} */
    const found = [];
    const inspect = async (page) => void found.push(await page.evaluate(find));
    for (const script of ['', 'data-button="false"', null]) await see({ script: script === null ? null : `data-trace="calls(*)" ${script}`, inspect });
    assert.deepEqual(found, [['Save trace'], [], []]);
  });
});
