// Every way in which a page, its workers and its frames get from bytes to an instance. A page sees what it sees without the
// page script, and the two calls that each way makes are traced.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { MODULE } from '../e2e/loader-support.js';
import { ISOLATED } from './server.js';
import { inBrowsers } from './visit.js';

/** What is in the page before a way in is tried; the names are those that the ways below use. */
const HELPERS = `
  const wasm = 'add.wasm';
  const bytes = async () => new Uint8Array(await (await fetch(wasm)).arrayBuffer());
  const twice = (instance) => instance.exports.twice(21);
  const answer = (target, message, ...transfer) => new Promise((resolve, reject) => {
    target.onmessage = ({ data }) => resolve(data);
    target.onerror = (event) => reject(new Error('worker: ' + event.message));
    if (message !== undefined) target.postMessage(message, transfer);
  });
  const blobWorker = (source, options) => {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(url, options);
    URL.revokeObjectURL(url);
    return worker;
  };
  const told = () => new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
  const frame = (properties) => {
    const element = Object.assign(document.createElement('iframe'), properties);
    document.documentElement.append(element);
    return element;
  };`;

/** Each resolves to what a page can see of it. */
const WAYS = {
  'instantiateStreaming(promise)': `async () => twice((await WebAssembly.instantiateStreaming(fetch(wasm))).instance)`,
  'instantiateStreaming(response)': `async () => twice((await WebAssembly.instantiateStreaming(await fetch(wasm), {})).instance)`,
  'compileStreaming, instantiate(module)':
    `async () => twice(await WebAssembly.instantiate(await WebAssembly.compileStreaming(fetch(wasm))))`,
  'instantiate(bytes)': `async () => twice((await WebAssembly.instantiate(await bytes())).instance)`,
  'instantiate(buffer)': `async () => twice((await WebAssembly.instantiate((await bytes()).buffer)).instance)`,
  'instantiate(view)': `async () => {
    const all = await bytes();
    const padded = new Uint8Array(all.length + 10);
    padded.set(all, 5);
    return twice((await WebAssembly.instantiate(padded.subarray(5, 5 + all.length))).instance);
  }`,
  'compile, instantiate(module)': `async () => twice(await WebAssembly.instantiate(await WebAssembly.compile(await bytes())))`,
  'new Module, new Instance': `async () => twice(new WebAssembly.Instance(new WebAssembly.Module(await bytes())))`,
  'a module that was cloned': `async () => twice(new WebAssembly.Instance(structuredClone(await WebAssembly.compile(await bytes()))))`,
  'a module sent through a channel': `async () => {
    const { port1, port2 } = new MessageChannel();
    port2.postMessage(new WebAssembly.Module(await bytes()));
    return twice(new WebAssembly.Instance(await answer(port1)));
  }`,

  'a module sent to a worker': `async () =>
    answer(new Worker('workers/instance.js'), { module: await WebAssembly.compile(await bytes()) })`,
  'a module sent to a worker at once': `async () => {
    const module = new WebAssembly.Module(await bytes());
    return answer(new Worker('workers/instance.js'), { module });
  }`,
  'a module sent by a worker': `async () => twice(await WebAssembly.instantiate(await answer(new Worker('workers/compiles.js'))))`,
  'a classic worker': `() => answer(new Worker('workers/classic.js', { name: 'one' }))`,
  'a classic worker, by URL': `() => answer(new Worker(new URL('workers/classic.js?query#hash', location)))`,
  'a module worker': `() => answer(new Worker('workers/module.mjs', { type: 'module', name: 'two' }))`,
  'a nested worker': `() => answer(new Worker('workers/nested.js'))`,
  'a nested module worker': `() => answer(new Worker('workers/nested.mjs', { type: 'module' }))`,
  'a classic worker of a blob': `() => answer(blobWorker(
    'importScripts("' + new URL('workers/part.js', location) + '");' +
    'WebAssembly.instantiateStreaming(fetch("' + new URL(wasm, location) + '")).then(({ instance }) =>' +
    '  postMessage([part, location.protocol, instance.exports.twice(21)]))'))`,
  'a module worker of a blob': `() => answer(blobWorker(
    'import { part } from "' + new URL('workers/part.mjs', location) + '";' +
    'const { instance } = await WebAssembly.instantiateStreaming(fetch("' + new URL(wasm, location) + '"));' +
    'postMessage([part, import.meta.url.slice(0, 5), instance.exports.twice(21)]);', { type: 'module' }))`,
  'a class that extends Worker': `() => answer(new (class Special extends Worker {
    constructor() { super('workers/classic.js'); }
  })())`,

  'a frame with an address': `() => {
    const message = told();
    frame({ src: 'frames/frame.html' });
    return message;
  }`,
  'a frame with its text': `() => {
    const message = told();
    frame({ srcdoc: '<script>(' + tell + ')()</' + 'script>' });
    return message;
  }`,
  'a frame in a frame': `() => {
    const message = told();
    frame({ src: 'frames/outer.html' });
    return message;
  }`,
  'a frame that is written to': `() => {
    const message = told();
    const { contentDocument } = frame({});
    contentDocument.open();
    contentDocument.write('<script>(' + tell + ')()</' + 'script>');
    contentDocument.close();
    return message;
  }`,
  'an empty frame': `async () => {
    const { contentWindow } = frame({});
    const code = await bytes();
    return twice((await contentWindow.WebAssembly.instantiate(code)).instance);
  }`,
  'an empty frame, at once': `async () => {
    const code = await bytes();
    const { WebAssembly } = frame({}).contentWindow;
    return twice(new WebAssembly.Instance(new WebAssembly.Module(code)));
  }`,
  'a frame that goes to another page': `async () => {
    const element = frame({});
    const message = told();
    element.contentWindow.location = 'frames/frame.html';
    return message;
  }`,
  'a frame made by innerHTML': `() => {
    const message = told();
    document.documentElement.insertAdjacentHTML('beforeend', '<div><iframe src="frames/frame.html"></iframe></div>');
    return message;
  }`,
  'a module sent to a frame': `async () => {
    const element = frame({ src: 'frames/instance.html' });
    await new Promise((resolve) => { element.onload = resolve; });
    const message = told();
    element.contentWindow.postMessage({ module: await WebAssembly.compile(await bytes()) });
    return message;
  }`,
};

/** What scripts of frames do. */
const TELL = `async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/add.wasm'));
  top.postMessage([location.pathname, instance.exports.twice(21)]);
}`;

const FILES = {
  '/add.wasm': MODULE,
  '/helpers.js': `${HELPERS}\nconst tell = ${TELL};`,
  '/ways.js': `const ways = { ${Object.entries(WAYS).map(([name, way]) => `${JSON.stringify(name)}: ${way}`).join(',\n')} };`,

  '/workers/part.js': `const part = 'part';`,
  '/workers/part.mjs': `export const part = 'part';`,
  '/workers/classic.js': `
    importScripts('part.js');
    WebAssembly.instantiateStreaming(fetch('../add.wasm')).then(({ instance }) =>
      postMessage([part, self.name, location.pathname, location.search, location.hash, instance.exports.twice(21)]));`,
  '/workers/module.mjs': `
    import { part } from './part.mjs';
    const { instance } = await WebAssembly.instantiateStreaming(fetch('../add.wasm'));
    const { pathname } = new URL(import.meta.url);
    postMessage([part, self.name, pathname, location.pathname, instance.exports.twice(21)]);`,
  '/workers/nested.js': `
    const inner = new Worker('classic.js');
    inner.onmessage = ({ data }) => postMessage(['nested', data]);`,
  '/workers/nested.mjs': `
    const inner = new Worker(new URL('./module.mjs', import.meta.url), { type: 'module' });
    inner.onmessage = ({ data }) => postMessage(['nested', data]);`,
  '/workers/instance.js': `
    onmessage = ({ data: { module } }) => postMessage(new WebAssembly.Instance(module).exports.twice(21));`,
  '/workers/compiles.js': `WebAssembly.compileStreaming(fetch('../add.wasm')).then((module) => postMessage(module));`,

  '/frames/frame.html': `<!doctype html><script>(${TELL})()</script>`,
  '/frames/outer.html': `<!doctype html><iframe src="frame.html"></iframe>`,
  '/frames/instance.html': `<!doctype html><script>
    onmessage = ({ data: { module } }) => parent.postMessage(new WebAssembly.Instance(module).exports.twice(21));</script>`,
};

const HEAD = '<script src="/helpers.js"></script><script src="/ways.js"></script>';

/** Modules are named by their address, as far as it is known; workers are told apart. @type {Record<string, string>} */
const TITLES = {
  'instantiate(view)': 'module',
  'a module sent to a worker': 'add.wasm (worker 1)',
  'a module sent to a worker at once': 'add.wasm (worker 1)',
  'a module sent by a worker': 'module',
  'a classic worker': 'add.wasm (worker 1)',
  'a classic worker, by URL': 'add.wasm (worker 1)',
  'a module worker': 'add.wasm (worker 1)',
  'a nested worker': 'add.wasm (worker 2)',
  'a nested module worker': 'add.wasm (worker 2)',
  'a classic worker of a blob': 'add.wasm (worker 1)',
  'a module worker of a blob': 'add.wasm (worker 1)',
  'a class that extends Worker': 'add.wasm (worker 1)',
  'an empty frame': 'module',
  'an empty frame, at once': 'module',
  'a module sent to a frame': 'module',
};

const TREE = `
Total Count | Self Count | Stack Frame
------------+------------+------------------------
          2 |          1 | twice
          1 |          1 | └── add
`;

/** Runs in the page. */
const runAll = async () => {
  const values = {};
  // @ts-ignore defined by ways.js
  for (const [name, way] of Object.entries(ways)) values[name] = await way().catch(String);
  return values;
};

// @ts-ignore defined by ways.js
const runOne = (name) => ways[name]();

/** Runs in the page: calls of each instance in which there were some. */
const countCalls = async () => {
  const { wasmTrace } = /** @type {any} */ (globalThis);
  await wasmTrace.refresh();
  const sums = wasmTrace.source.sessions().map((session) => session.snapshot().nodes.count.reduce((sum, count) => sum + count, 0));
  return sums.filter((sum) => sum > 0);
};

inBrowsers((visit) => {
  /** @type {Record<string, unknown>} */
  let untraced;
  before(async () => {
    untraced = (await visit({ script: null, head: HEAD, files: FILES, run: runAll })).value;
  });

  test('all of them work without the page script', () => {
    for (const [name, value] of Object.entries(untraced)) assert.equal([value].flat(3).at(-1), 42, name);
  });

  for (const name of Object.keys(WAYS)) {
    test(name, async () => {
      const script = 'data-trace="calls(*)" data-display="tree"';
      const seen = await visit({ script, head: HEAD, files: FILES, run: runOne, arg: name, report: 'tree' });
      const report = (TITLES[name] ?? 'add.wasm') + TREE;
      assert.deepEqual(seen, { value: untraced[name], report, messages: [], errors: [] });
    });
  }

  for (const [what, link, headers] of [['linked split', 'split', {}], ['isolated', 'merged', ISOLATED]]) {
    test(`${what}: all of them in one page`, async () => {
      const script = `data-trace="calls(*)" data-display="tree" data-link="${link}"`;
      /** @type {number[]} */
      let calls = [];
      const inspect = async (page) => void (calls = await page.evaluate(countCalls));
      const seen = await visit({ script, head: HEAD, files: FILES, headers, run: runAll, inspect });
      assert.deepEqual([seen.value, seen.messages, seen.errors], [untraced, [], []]);
      assert.deepEqual(calls, Object.keys(WAYS).map(() => 2));
    });
  }
});
