// Workers under the page script: their programs, and the page that talks to them, see what they see without it.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assemble } from '../core/assemble.js';
import { MODULE, SPIN_MODULE } from '../e2e/loader-support.js';
import { ISOLATED } from './server.js';
import { inBrowsers } from './visit.js';

/** run() calls a function without a name, which adds. */
const NAMELESS = await assemble(`(module
  (func (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func (export "run") (result i32) (call 0 (i32.const 1))))`);

/** Runs in the page: the module runs here, in a worker and in a frame, with weights and names that are given as bytes. */
const runWithBytes = async () => {
  const bytes = (text) => new TextEncoder().encode(text);
  const question = { trace: 'calls(*)', display: 'tree', weights: bytes('i32.add 100'), symbols: [bytes('0:adds')] };
  wasmTrace.install(question);
  const frame = document.createElement('iframe');
  document.documentElement.append(frame);
  wasmTrace.install(question);
  for (const { WebAssembly: here, fetch: get } of [window, frame.contentWindow]) (await here.instantiateStreaming(get('/nameless.wasm'))).instance.exports.run();
  await new Promise((resolve) => (new Worker('/run-nameless.js').onmessage = resolve));
  await wasmTrace.refresh();
  const figures = (session) => `${session.snapshot().nodes.self.reduce((sum, self) => sum + self, 0)} ${session.names.name(0)}`;
  return { warnings: wasmTrace.warnings, figures: wasmTrace.sessions.map(figures) };
};

/** Runs in the page. What each of these workers answers. */
const askAll = async () => {
  const answers = (worker, count = 1) => new Promise((resolve) => {
    const all = [];
    worker.onmessage = ({ data }) => all.push(data) === count && resolve(all);
    worker.onerror = ({ message }) => resolve([...all, `error: ${message}`]);
  });
  const start = (url, options) => new Worker(`/workers/${url}`, options);
  const outcomes = {
    surroundings: () => answers(start('surroundings.js?a=1#b', { name: 'named' })),
    'surroundings of a module': () => answers(start('surroundings.mjs?a=1#b', { type: 'module', name: 'named' })),
    'a blob with something behind its address': () => {
      const url = URL.createObjectURL(new Blob(['postMessage(location.hash)']));
      return answers(new Worker(`${url}#100%`));
    },
    requests: () => answers(start('requests.js')),
    'strict mode': () => answers(start('strict.js')),
    'names at the top': () => answers(start('names.js')),
    'scripts that throw': () => answers(start('script-throws.js')),
    'messages before it is there': () => {
      const worker = start('echo.js');
      for (let i = 0; i < 3; i++) worker.postMessage(i);
      return answers(worker, 3);
    },
    'messages before a module is there': () => {
      const worker = start('echo.mjs', { type: 'module' });
      for (let i = 0; i < 3; i++) worker.postMessage(i);
      return answers(worker, 3);
    },
    'buffers that are handed over': async () => {
      const worker = start('echo.js');
      const { buffer } = new Uint8Array([1, 2, 3]);
      worker.postMessage(buffer, [buffer]);
      const [back] = await answers(worker);
      return [buffer.byteLength, back.byteLength];
    },
    'ports that are handed over': async () => {
      const { port1, port2 } = new MessageChannel();
      const worker = start('port.js');
      worker.postMessage('port', { transfer: [port2] });
      return answers(port1);
    },
    'what cannot be cloned': () => {
      try {
        start('echo.js').postMessage(() => {});
        return 'no error';
      } catch ({ name }) {
        return name;
      }
    },
    'listeners of both kinds': () => new Promise((resolve) => {
      const worker = start('echo.js');
      const heard = [];
      worker.addEventListener('message', ({ data }) => heard.push(`listener ${data}`));
      worker.onmessage = ({ data, ports, target }) => {
        heard.push(`property ${data} ${ports.length} ${target === worker}`);
        resolve(heard);
      };
      worker.postMessage('x');
    }),
    'a worker that closes itself': () => answers(start('closes.js')),
    'a worker that is terminated': async () => {
      const worker = start('ticks.js');
      await answers(worker, 2);
      worker.terminate();
      const after = [];
      worker.onmessage = ({ data }) => after.push(data);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return after;
    },
    'a worker that is terminated at once': async () => {
      const worker = start('ticks.js');
      const heard = [];
      worker.onmessage = ({ data }) => heard.push(data);
      worker.terminate();
      await new Promise((resolve) => setTimeout(resolve, 200));
      return heard;
    },
    'an error event': () => new Promise((resolve) => {
      start('throws-later.js').addEventListener('error', ({ message, filename, lineno, cancelable }) =>
        resolve([message, filename.replace(location.origin, ''), lineno, cancelable]));
    }),
    'an instance of Worker': () => {
      const worker = start('echo.js');
      return [worker instanceof Worker, worker.constructor === Worker, Object.prototype.toString.call(worker), Worker.name, Worker.length];
    },
    'wasm between pages and workers': async () => {
      const worker = start('module.js');
      const [module] = await answers(worker);
      worker.postMessage(module);
      return [WebAssembly.Module.exports(module).map(({ name }) => name), await answers(worker)];
    },
    // Asked until one answers: in Firefox, workers that start a worker may say nothing any more (see visit.js).
    'a nested worker that is missing': async () => {
      for (const asked = []; ; ) {
        asked.push(answers(start('nested-missing.js')));
        const answer = await Promise.race([...asked, new Promise((resolve) => setTimeout(resolve, 1000))]);
        if (answer) return answer;
      }
    },
    'a shared worker': () => new Promise((resolve) => {
      new SharedWorker('/workers/shared.js').port.onmessage = ({ data }) => resolve(data);
    }),
  };
  const seen = {};
  for (const [name, outcome] of Object.entries(outcomes)) {
    const late = new Promise((resolve) => setTimeout(() => resolve('no answer'), 15_000));
    seen[name] = await Promise.race([outcome(), late]);
  }
  return JSON.parse(JSON.stringify(seen).replaceAll(location.host, 'HOST').replaceAll(`"${location.port}"`, '"PORT"'));
};

const SURROUNDINGS = `{
  location: Object.fromEntries(['href', 'origin', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'].map((key) => [key, location[key]])),
  text: String(location), kind: location instanceof WorkerLocation, self: self.location === location,
  name: self.name, origin: self.origin, isolated: self.crossOriginIsolated, secure: self.isSecureContext,
  scope: self.constructor.name, onmessage: self.onmessage,
}`;

const FILES = {
  '/add.wasm': MODULE,
  '/spin.wasm': SPIN_MODULE,
  '/workers/data.txt': 'data',
  '/workers/part.js': 'part = `part of ${location.pathname}`;',
  '/workers/part.mjs': 'export const url = new URL(import.meta.url).pathname;',
  '/workers/surroundings.js': `postMessage(${SURROUNDINGS});`,
  '/workers/surroundings.mjs': `postMessage({ ...${SURROUNDINGS}, meta: import.meta.url, top: this === undefined });`,
  '/workers/requests.js': `
    importScripts('part.js', './part.js');
    const xhr = (url) => {
      const request = new XMLHttpRequest();
      request.open('GET', url, false);
      request.send();
      return [request.responseText, new URL(request.responseURL).pathname];
    };
    const get = async (what, options) => {
      const response = await fetch(what, options);
      return [await response.text(), new URL(response.url).pathname];
    };
    (async () => postMessage([
      part, xhr('data.txt'), await get('data.txt'), await get('../workers/data.txt', { method: 'GET' }), await get('/workers/data.txt'),
      await get(new Request('data.txt')), await get(new URL('data.txt', location)), (await import('./part.mjs')).url,
      new Request('data.txt').url, new Response('x').url, performance.getEntriesByType('resource').length >= 0,
    ]))();`,
  '/workers/strict.js': `'use strict'; postMessage([typeof this, (function () { return this === undefined; })()]);`,
  '/workers/names.js': `var one = 1; let two = 2; const three = 3; function four() {} class Five {}
    postMessage([self.one, self.two, self.three, typeof self.four, typeof self.Five, [one, two, three, typeof four, typeof Five]]);`,
  '/workers/script-throws.js': `try { importScripts('throws.js'); } catch (error) { postMessage([error.name, error.message, error instanceof TypeError]); }`,
  '/workers/throws.js': `throw new TypeError('from a script');`,
  '/workers/throws-later.js': `\n\nsetTimeout(() => { throw new RangeError('later'); }, 20);`,
  '/workers/echo.js': `onmessage = ({ data }) => postMessage(data, data instanceof ArrayBuffer ? [data] : []);`,
  '/workers/echo.mjs': `await null; onmessage = ({ data }) => postMessage(data);`,
  '/workers/port.js': `addEventListener('message', ({ data, ports }) => ports[0].postMessage([data, ports.length]));`,
  '/workers/closes.js': `postMessage('last'); close(); postMessage('after');`,
  '/workers/ticks.js': `let n = 0; setInterval(() => postMessage(n++), 5);`,
  '/workers/module.js': `
    WebAssembly.compileStreaming(fetch('../add.wasm')).then((module) => postMessage(module));
    onmessage = ({ data }) => postMessage([data instanceof WebAssembly.Module, new WebAssembly.Instance(data).exports.twice(21)]);`,
  '/workers/nested-missing.js': `new Worker('missing.js').onerror = ({ type }) => postMessage(type);`,
  '/workers/shared.js': `onconnect = ({ ports: [port] }) => port.postMessage([location.pathname, typeof importScripts]);`,
  '/workers/spins.js': `
    WebAssembly.instantiateStreaming(fetch('../spin.wasm')).then(({ instance }) => {
      postMessage('spins');
      instance.exports.spin();
    });`,
  '/workers/works.js': `
    WebAssembly.instantiateStreaming(fetch('../add.wasm')).then(({ instance }) => {
      instance.exports.twice(21);
      postMessage('worked');
    });`,
};

/** Runs in the page: a worker that is terminated when it has said something, and has begun to record where that can be seen. @param {string} url */
const terminateAfterMessage = (url) => new Promise((resolve) => {
  const worker = new Worker(url);
  worker.onmessage = async ({ data }) => {
    while (crossOriginIsolated && !wasmTrace.sessions.some(({ hasData }) => hasData)) await new Promise((next) => setTimeout(next, 10));
    worker.terminate();
    await new Promise((next) => setTimeout(next, 400));
    resolve(data);
  };
});

/** Runs in the page: workers that are terminated as soon as they have said something. @param {number} count */
const terminateAtOnce = async (count) => {
  for (let i = 0; i < count; i++) {
    const worker = new Worker('/workers/works.js');
    await new Promise((resolve) => (worker.onmessage = resolve));
    worker.terminate();
  }
  await new Promise((resolve) => setTimeout(resolve, 400));
};

/** Runs in the page: three workers of one module. */
const startThree = async () => {
  const work = () => new Promise((resolve) => {
    const worker = new Worker('/workers/works.js');
    worker.onmessage = () => resolve(worker);
  });
  const workers = [await work(), await work(), await work()];
  return workers.length;
};

const tree = (/** @type {string} */ title, /** @type {number} */ times) => `${title}
Total Count | Self Count | Stack Frame
------------+------------+------------------------
${String(2 * times).padStart(11)} | ${String(times).padStart(10)} | twice
${String(times).padStart(11)} | ${String(times).padStart(10)} | └── add
`;

inBrowsers((visit) => {
  test('weights and symbols, which are bytes, reach workers and frames', async () => {
    const { value } = await visit({
      script: 'data-trace=""',
      files: {
        '/nameless.wasm': NAMELESS,
        '/run-nameless.js': `WebAssembly.instantiateStreaming(fetch('/nameless.wasm')).then(({ instance }) => postMessage(instance.exports.run()));`,
      },
      run: runWithBytes,
    });
    assert.deepEqual(value, { warnings: [], figures: Array(3).fill('104 adds') });
  });

  for (const [title, headers] of Object.entries({ 'not isolated': {}, isolated: ISOLATED })) {
    describe(title, () => {
      /** @type {any} */
      let untraced;
      /** @type {import('./visit.js').Seen} */
      let traced;
      before(async () => {
        untraced = (await visit({ script: null, files: FILES, headers, run: askAll })).value;
        traced = await visit({ script: 'data-trace="calls(*)"', files: FILES, headers, run: askAll });
      });

      test('all is as it was', () => {
        for (const [name, value] of Object.entries(untraced)) assert.notEqual(value, 'no answer', name);
        assert.deepEqual(traced.value, untraced);
      });

      test('nothing is complained of', () => {
        assert.deepEqual(traced.messages, []);
      });

      test('what three workers did is added up', async () => {
        const seen = await visit({ script: 'data-trace="calls(*)" data-display="tree"', files: FILES, headers, run: startThree, report: 'tree' });
        assert.equal(seen.report, tree('add.wasm (3 threads)', 3));
      });

      test('trees of three workers whose logs were asked for', async () => {
        const script = 'data-trace="calls(*)" data-display="log"';
        const { report } = await visit({ script, files: FILES, headers, run: startThree, report: 'tree' });
        for (const worker of [1, 2, 3]) assert.ok(report.includes(tree(`add.wasm (worker ${worker})`, 1)), report);
      });

      test('what a worker did before it was terminated', async () => {
        const script = 'data-trace="calls(*)" data-display="tree"';
        const seen = await visit({ script, files: FILES, headers, run: terminateAfterMessage, arg: '/workers/works.js', report: 'tree' });
        assert.deepEqual([seen.value, seen.report, seen.messages], ['worked', tree('add.wasm (worker 1)', 1), []]);
      });
    });
  }

  /** Runs in the page. */
  const startSpinning = async () => {
    const { data } = await new Promise((resolve) => (new Worker('/workers/spins.js').onmessage = resolve));
    while (crossOriginIsolated && !wasmTrace.sessions.some(({ hasData }) => hasData)) await new Promise((next) => setTimeout(next, 10));
    return data;
  };

  // In Firefox the page may hear a worker's messages to it before those to the page script.
  test('isolated: nothing is lost of workers that are terminated as soon as they have spoken', async () => {
    const script = 'data-trace="calls(*)" data-display="tree"';
    const { report } = await visit({ script, files: FILES, headers: ISOLATED, run: terminateAtOnce, arg: 12, report: 'tree' });
    assert.equal(report, tree('add.wasm (12 threads)', 12));
  });

  test('isolated: a worker that is terminated inside of wasm', async () => {
    const script = 'data-trace="calls(*)" data-display="nested"';
    const seen = await visit({ script, files: FILES, headers: ISOLATED, run: terminateAfterMessage, arg: '/workers/spins.js', report: 'nested' });
    assert.deepEqual([seen.value, seen.report], ['spins', 'spin.wasm (worker 1)\ncall spin\nunwound spin\n']);
  });

  for (const [what, headers, report] of [
    ['isolated: a worker that never comes back from wasm', ISOLATED, 'spin.wasm (worker 1)\ncall spin\nstill running: spin\n'],
    ['not isolated: a worker that never comes back from wasm does not hold up a report', {}, 'wasm-trace: no module was loaded yet\n'],
  ]) {
    test(what, async () => {
      const script = 'data-trace="calls(*)" data-display="nested"';
      const seen = await visit({ script, files: FILES, headers, run: startSpinning, report: 'nested' });
      assert.deepEqual([seen.value, seen.report], ['spins', report]);
    });
  }
});
