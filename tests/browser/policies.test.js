// Pages that forbid things: by a Content-Security-Policy, Trusted Types, sandboxes, isolation. The page does what it does without
// the page script; what cannot be traced is said once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../command.mjs';
import { MODULE } from '../e2e/loader-support.js';
import { ISOLATED, serve } from './server.js';
import { inBrowsers } from './visit.js';

const SCRIPT = 'data-trace="calls(*)" data-display="tree"';

const TREE = `add.wasm
Total Count | Self Count | Stack Frame
------------+------------+------------------------
          2 |          1 | twice
          1 |          1 | └── add
`;

const FILES = {
  '/add.wasm': MODULE,
  '/worker.js': `
    importScripts('part.js');
    WebAssembly.instantiateStreaming(fetch('add.wasm')).then(({ instance }) =>
      postMessage([part, location.pathname, instance.exports.twice(21)]));`,
  '/worker.mjs': `
    const { instance } = await WebAssembly.instantiateStreaming(fetch('add.wasm'));
    postMessage([location.pathname, instance.exports.twice(21)]);`,
  '/plain.js': `postMessage(location.pathname);`,
  '/part.js': `const part = 'part';`,
  '/frame.js': `
    WebAssembly.instantiateStreaming(fetch('/add.wasm')).then(
      ({ instance }) => parent.postMessage([origin === 'null', instance.exports.twice(21)], '*'),
      (error) => parent.postMessage(String(error), '*'));`,
  '/frame.html': '<!doctype html><script src="/frame.js"></script>',
};

/** Runs in the page. */
const instantiate = async () => {
  const outcomes = [];
  const bytes = await (await fetch('/add.wasm')).arrayBuffer();
  for (const way of [
    async () => (await WebAssembly.instantiate(bytes)).instance,
    () => new WebAssembly.Instance(new WebAssembly.Module(bytes)),
    async () => (await WebAssembly.instantiateStreaming(fetch('/add.wasm'))).instance,
  ]) {
    try {
      outcomes.push((await way()).exports.twice(21));
    } catch (error) {
      outcomes.push(String(error));
    }
  }
  return [WebAssembly.validate(bytes), ...outcomes];
};

/** Runs in the page. */
const instantiateOnce = async () => (await WebAssembly.instantiateStreaming(fetch('/add.wasm'))).instance.exports.twice(21);

/** Runs in the page: workers that it starts, one after the other. */
const startWorkers = async () => {
  const outcomes = [];
  for (const [url, options] of [['worker.js'], ['worker.mjs', { type: 'module' }], [new URL('worker.js', location), {}]]) {
    outcomes.push(await new Promise((resolve) => {
      const worker = new Worker(url, options);
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ type }) => resolve(type);
    }));
  }
  return outcomes;
};

/** Runs in the page. @param {Record<string, string>} attributes of a frame */
const openFrame = (attributes) =>
  new Promise((resolve) => {
    addEventListener('message', ({ data }) => resolve(data), { once: true });
    const frame = document.createElement('iframe');
    for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
    document.documentElement.append(frame);
  });

/** @param {string} policy */
const csp = (policy) => ({ 'Content-Security-Policy': policy });

inBrowsers((visit, browser) => {
  /** Both pages come to the same; returns what the traced one said and recorded. */
  const compare = async ({ script = SCRIPT, ...what }) => {
    const { value: untraced } = await visit({ files: FILES, ...what, script: null });
    const seen = await visit({ files: FILES, ...what, script, report: 'tree' });
    assert.deepEqual(seen.value, untraced);
    assert.deepEqual(seen.errors, []);
    return seen;
  };

  test('no wasm at all: the page is refused by the browser, and no message of ours adds to it', async () => {
    const { value, messages } = await compare({ headers: csp("script-src 'self'"), run: instantiate });
    assert.match(value[1], /^CompileError: .*(Content Security Policy|CSP)/);
    assert.equal(messages.filter((message) => message.startsWith('warn: wasm-trace: ')).length <= 1, true, messages.join('\n'));
  });

  test('wasm, and scripts of its own only', async () => {
    const headers = csp("default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
    const { report, messages } = await compare({ headers, run: instantiateOnce });
    assert.deepEqual([report, messages], [TREE, []]);
  });

  test('scripts by nonce', async () => {
    const headers = csp("script-src 'nonce-abc' 'strict-dynamic' 'wasm-unsafe-eval'");
    const html = `<!doctype html><script nonce="abc" src="/web/wasm-trace.js" ${SCRIPT}></script><script nonce="abc" src="/run.js"></script>`;
    const { value, report, messages } = await visit({ html, files: FILES, headers, run: instantiateOnce, report: 'tree' });
    assert.deepEqual([value, report, messages], [42, TREE, []]);
  });

  test('workers from its own files only: they run untraced', async () => {
    const headers = csp("worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
    const { messages } = await compare({ headers, run: startWorkers });
    const ours = messages.filter((message) => message.includes('wasm-trace'));
    assert.equal(ours.length, 1, messages.join('\n'));
    assert.match(ours[0], /^warn: wasm-trace: workers run untraced: /);
  });

  test('workers from blobs allowed: they are traced', async () => {
    const headers = csp("worker-src 'self' blob:; script-src 'self' 'wasm-unsafe-eval'");
    const { report, messages } = await compare({ headers, run: startWorkers });
    assert.deepEqual(messages, []);
    assert.match(report, /6 \| {10}3 \| twice/);
  });

  test('workers from blobs allowed, their scripts not', async () => {
    const headers = csp("worker-src * blob:; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'");
    await compare({ headers, run: startWorkers });
  });

  test('scripts by nonce, which a worker from a blob would have to have: its program starts as the page wrote it', async () => {
    const headers = csp("script-src 'nonce-abc' 'wasm-unsafe-eval'; worker-src 'self' blob:");
    const page = (/** @type {string} */ first) => `<!doctype html>${first}<script nonce="abc" src="/run.js"></script>`;
    const tag = `<script nonce="abc" src="/web/wasm-trace.js" ${SCRIPT}></script>`;
    const files = { ...FILES, '/echo.js': 'onmessage = ({ data }) => postMessage([location.pathname, data]);' };
    const run = async () => {
      const answers = [];
      for (const message of ['one', 'two']) {
        answers.push(await new Promise((resolve) => {
          const worker = new Worker('echo.js');
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ type }) => resolve(type);
          worker.postMessage(message);
        }));
      }
      return answers;
    };
    const untraced = await visit({ html: page(''), files, headers, run });
    const traced = await visit({ html: page(tag), files, headers, run });
    assert.deepEqual(traced.value, [['/echo.js', 'one'], ['/echo.js', 'two']]);
    assert.deepEqual(traced.value, untraced.value);
    // Firefox tells its console of what we have caught.
    if (browser === 'chromium') assert.deepEqual(traced.errors, []);
  });

  test('no workers at all', async () => {
    const headers = csp("worker-src 'none'; script-src 'self' 'wasm-unsafe-eval'");
    const { value } = await compare({ headers, run: startWorkers });
    assert.deepEqual(value, ['error', 'error', 'error']);
  });

  test('Trusted Types', async () => {
    const headers = csp("require-trusted-types-for 'script'; script-src 'self' 'wasm-unsafe-eval' blob:");
    const run = async () => {
      const make = (url) => new Promise((resolve) => {
        new Worker(url).onmessage = ({ data }) => resolve(data);
      }).catch(({ name }) => name);
      const policy = globalThis.trustedTypes?.createPolicy('page', { createScriptURL: (url) => url });
      return policy ? [await make(policy.createScriptURL('plain.js')), await make('plain.js')] : [];
    };
    await compare({ headers, run });
  });

  test('Trusted Types: who asks for the window of a frame gets it', async () => {
    const headers = csp("require-trusted-types-for 'script'; script-src 'self' 'wasm-unsafe-eval' 'unsafe-inline'");
    const run = async () => {
      const frame = document.createElement('iframe');
      document.documentElement.append(frame);
      return typeof frame.contentWindow;
    };
    await compare({ headers, run });
  });

  test('Trusted Types: where the page cannot be watched, all else goes on', async () => {
    const headers = { ...ISOLATED, ...csp("require-trusted-types-for 'script'; script-src 'self' 'wasm-unsafe-eval' blob:") };
    const { report } = await compare({ headers, script: `${SCRIPT} data-watch`, run: instantiateOnce });
    assert.equal(report, TREE);
  });

  test('Trusted Types: a policy that takes no blobs', async () => {
    const headers = csp("require-trusted-types-for 'script'; script-src 'self' 'wasm-unsafe-eval' blob:");
    const run = async () => {
      const createScriptURL = (/** @type {string} */ url) => (url.startsWith('blob:') ? null : url);
      globalThis.trustedTypes?.createPolicy('default', { createScriptURL });
      const worker = new Worker('plain.js');
      return new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ type }) => resolve(type);
      });
    };
    await compare({ headers, run });
  });

  for (const [what, headers] of Object.entries({ isolated: ISOLATED, 'not isolated': {} })) {
    test(`${what}: page and worker`, async () => {
      const { report, messages } = await compare({ headers, run: startWorkers });
      assert.deepEqual(messages, []);
      assert.match(report, /6 \| {10}3 \| twice/);
    });
  }

  test('a sandboxed frame is out of reach', async () => {
    const headers = { 'Access-Control-Allow-Origin': '*' };
    const { value, report, messages } = await compare({ headers, run: openFrame, arg: { sandbox: 'allow-scripts', src: '/frame.html' } });
    assert.deepEqual([value, report, messages], [[true, 42], 'wasm-trace: no module was loaded yet\n', []]);
  });

  test('a frame of another origin is out of reach', async () => {
    const elsewhere = await serve({ files: FILES });
    try {
      const { value, report, messages } = await compare({ run: openFrame, arg: { src: `${elsewhere.origin}/frame.html` } });
      assert.deepEqual([value, report, messages], [[false, 42], 'wasm-trace: no module was loaded yet\n', []]);
    } finally {
      await elsewhere.close();
    }
  });

  test('a frame whose own policy forbids inline scripts', async () => {
    const files = { ...FILES, '/frame.html': { body: FILES['/frame.html'], headers: csp("script-src 'self' 'wasm-unsafe-eval'") } };
    const { value, messages } = await compare({ files, run: openFrame, arg: { src: '/frame.html' } });
    assert.deepEqual(value, [false, 42]);
    assert.equal(messages.filter((message) => message.includes('wasm-trace: a frame runs untraced')).length <= 1, true);
  });

  test('a page that is sandboxed itself', async () => {
    const headers = { ...csp('sandbox allow-scripts'), 'Access-Control-Allow-Origin': '*' };
    const { report, messages } = await compare({ headers, run: instantiateOnce });
    assert.deepEqual([report, messages], [TREE, []]);
  });

  test('a data: worker', async () => {
    const run = () => new Promise((resolve) => {
      const program = `fetch('${location.origin}/add.wasm').then((r) => r.arrayBuffer()).then((b) => WebAssembly.instantiate(b))
        .then(({ instance }) => postMessage([self.origin, instance.exports.twice(21)]));`;
      new Worker(`data:text/javascript,${encodeURIComponent(program)}`).onmessage = ({ data }) => resolve(data);
    });
    const { value } = await compare({ headers: { 'Access-Control-Allow-Origin': '*' }, run });
    assert.deepEqual(value, ['null', 42]);
  });

  for (const encoding of ['windows-1252', 'shift_jis', 'iso-8859-2']) {
    test(`a page in ${encoding}, and a script that does not say what it is in`, async () => {
      const html = `<!doctype html><script src="/web/wasm-trace.js" ${SCRIPT}></script><script src="/run.js"></script>`;
      const files = {
        ...FILES,
        '/': { body: html, headers: { 'Content-Type': `text/html; charset=${encoding}` } },
        '/web/wasm-trace.js': {
          body: readFileSync(path.join(root, 'build/web/wasm-trace.js')),
          headers: { 'Content-Type': 'text/javascript' },
        },
      };
      const run = async () => [document.characterSet, (await WebAssembly.instantiateStreaming(fetch('/add.wasm'))).instance.exports.twice(21)];
      const { value, report, messages } = await visit({ files, run, report: 'tree' });
      assert.deepEqual([value[0].toLowerCase(), value[1], report, messages], [encoding, 42, TREE, []]);
    });
  }

  test('a page that has changed what the script uses', async () => {
    const head = `<script>
      Array.prototype.extra = 1;
      Object.prototype.inherited = 2;
      Array.prototype.toJSON = () => 'broken';
      window.fetch = new Proxy(fetch, {});
    </script>`;
    const { report, messages } = await compare({ head, run: instantiateOnce });
    assert.deepEqual([browser, report, messages], [browser, TREE, []]);
  });
});
