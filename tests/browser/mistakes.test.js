// A page's own mistakes: with the page script it sees the errors that it sees without, class and words alike.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { MODULE, START_MODULE } from '../e2e/loader-support.js';
import { serve } from './server.js';
import { inBrowsers } from './visit.js';

/** Runs in the page: what each mistake comes to. @param {string} elsewhere address of the module on another origin */
const makeMistakes = async (elsewhere) => {
  const read = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());
  const [good, importing] = [await read('/add.wasm'), await read('/start.wasm')];
  const cut = good.subarray(0, 30);
  const wrongBody = good.slice();
  wrongBody[wrongBody.lastIndexOf(0x6a)] = 0xff;
  const response = (bytes, type = 'application/wasm', status = 200) => new Response(bytes, { status, headers: { 'Content-Type': type } });
  const used = async () => {
    const whole = response(good);
    await whole.text();
    return whole;
  };
  const locked = () => {
    const whole = response(good);
    whole.body.getReader();
    return whole;
  };
  const breaking = () => {
    const start = (controller) => {
      controller.enqueue(good.subarray(0, 50));
      controller.error(new RangeError('broke off'));
    };
    return new Response(new ReadableStream({ start }), { headers: { 'Content-Type': 'application/wasm' } });
  };
  const failure = (url, options, tell = ({ type }) => type) => new Promise((_, reject) => {
    new Worker(url, options).onerror = (event) => reject(Object.assign(new Error(tell(event)), { name: 'event' }));
  });
  const place = ({ type, message, filename, lineno }) => `${type} ${message} ${filename.replace(location.origin, '')}:${lineno}`;

  const mistakes = {
    'Module without new': () => WebAssembly.Module(good),
    'Module of nothing': () => new WebAssembly.Module(),
    'Module of text': () => new WebAssembly.Module('text'),
    'Module of no bytes': () => new WebAssembly.Module(new Uint8Array(0)),
    'Module of HTML': () => new WebAssembly.Module(new TextEncoder().encode('<!doctype html>')),
    'Module of a part': () => new WebAssembly.Module(cut),
    'Module with a wrong body': () => new WebAssembly.Module(wrongBody),
    'Instance of nothing': () => new WebAssembly.Instance(),
    'Instance of an object': () => new WebAssembly.Instance({}),
    'Instance without imports': () => new WebAssembly.Instance(new WebAssembly.Module(importing)),
    'Instance without one import': () => new WebAssembly.Instance(new WebAssembly.Module(importing), { env: {} }),
    'Instance with a number for a function': () => new WebAssembly.Instance(new WebAssembly.Module(importing), { env: { tell: 1 } }),
    'Instance with text for imports': () => new WebAssembly.Instance(new WebAssembly.Module(good), 'imports'),

    'compile nothing': () => WebAssembly.compile(),
    'compile a number': () => WebAssembly.compile(5),
    'compile a part': () => WebAssembly.compile(cut),
    'compile a wrong body': () => WebAssembly.compile(wrongBody),
    'compile a promise': () => WebAssembly.compile(read('/add.wasm')),
    'instantiate nothing': () => WebAssembly.instantiate(),
    'instantiate null': () => WebAssembly.instantiate(null),
    'instantiate a part': () => WebAssembly.instantiate(cut),
    'instantiate a wrong body': () => WebAssembly.instantiate(wrongBody),
    'instantiate with null for imports': () => WebAssembly.instantiate(good, null),
    'instantiate with a number for imports': () => WebAssembly.instantiate(good, 5),
    'instantiate without imports': () => WebAssembly.instantiate(importing),
    'instantiate without one import': () => WebAssembly.instantiate(importing, { env: {} }),
    'instantiate a module without imports': async () => WebAssembly.instantiate(await WebAssembly.compile(importing)),
    'instantiate where an import throws': () => WebAssembly.instantiate(importing, { env: { tell() { throw new RangeError('mine'); } } }),

    'stream nothing': () => WebAssembly.compileStreaming(),
    'stream a number': () => WebAssembly.compileStreaming(5),
    'stream bytes': () => WebAssembly.instantiateStreaming(good),
    'stream what fails': () => WebAssembly.instantiateStreaming(Promise.reject(new Error('no network'))),
    'stream what cannot be fetched': () => WebAssembly.instantiateStreaming(fetch('http://127.0.0.1:1/add.wasm')),
    'stream text': () => WebAssembly.instantiateStreaming(fetch('/text.wasm')),
    'stream a type with parameters': () => WebAssembly.instantiateStreaming(fetch('/charset.wasm')),
    'stream no type': () => WebAssembly.compileStreaming(new Response(good)),
    'stream what is not found': () => WebAssembly.instantiateStreaming(fetch('/missing.wasm')),
    'stream an error page': () => WebAssembly.compileStreaming(response(good, 'application/wasm', 500)),
    'stream what was used': async () => WebAssembly.compileStreaming(await used()),
    'stream what is locked': () => WebAssembly.compileStreaming(locked()),
    'stream an opaque response': () => WebAssembly.instantiateStreaming(fetch(elsewhere, { mode: 'no-cors' })),
    'stream from another origin': () => WebAssembly.instantiateStreaming(fetch(elsewhere)),
    'stream an error': () => WebAssembly.compileStreaming(Response.error()),
    'stream no bytes': () => WebAssembly.compileStreaming(response(new Uint8Array(0))),
    'stream a part': () => WebAssembly.instantiateStreaming(response(cut)),
    'stream a wrong body': () => WebAssembly.compileStreaming(response(wrongBody)),
    'stream with a number for imports': () => WebAssembly.instantiateStreaming(fetch('/add.wasm'), 5),
    'stream without imports': () => WebAssembly.instantiateStreaming(fetch('/start.wasm')),
    'stream without one import': () => WebAssembly.instantiateStreaming(fetch('/start.wasm'), { env: {} }),
    'stream what breaks off': () => WebAssembly.compileStreaming(breaking()).catch(({ name }) => {
      throw Object.assign(new Error(), { name }); // the words are those of arrayBuffer()
    }),

    'exports of nothing': () => WebAssembly.Module.exports(),
    'exports of an object': () => WebAssembly.Module.exports({}),
    'custom sections without a name': () => WebAssembly.Module.customSections(new WebAssembly.Module(good)),
    'validate nothing': () => WebAssembly.validate(),
    'Worker without new': () => Worker('/missing.js'),
    'Worker of nothing': () => new Worker(),
    'Worker of an address that is none': () => new Worker('http://['),
    'Worker of another origin': () => failure(elsewhere),
    'Worker of an unknown type': () => new Worker('/missing.js', { type: 'none' }),
    // Started from a blob, these fail in importScripts, and the event says so.
    'Worker that is missing': () => failure('/missing.js'),
    'Worker that throws': () => failure('/throws.js', {}, place),
    'Worker with a wrong script': () => failure('/wrong.js'),
    'module Worker that is missing': () => failure('/missing.mjs', { type: 'module' }),
    'module Worker that throws': () => failure('/throws.js', { type: 'module' }, place),
  };

  const outcomes = {};
  for (const [name, mistake] of Object.entries(mistakes)) {
    try {
      await mistake();
      outcomes[name] = 'no error';
    } catch (error) {
      // Firefox names the address of a failed fetch, with the port.
      outcomes[name] = `${error.name}: ${error.message.replaceAll(location.host, 'HOST')} ${error instanceof WebAssembly.CompileError}`;
    }
  }
  return outcomes;
};

const FILES = {
  '/add.wasm': MODULE,
  '/start.wasm': START_MODULE,
  '/text.wasm': { body: MODULE, headers: { 'Content-Type': 'text/plain' } },
  '/charset.wasm': { body: MODULE, headers: { 'Content-Type': 'application/wasm; charset=utf-8' } },
  '/throws.js': `\nthrow new TypeError('from the worker');`,
  '/wrong.js': 'let 5;',
};

inBrowsers((visit) => {
  /** @type {Record<string, string>} */
  let untraced;
  const tryAll = async (script) => {
    const elsewhere = await serve({ files: { '/add.wasm': MODULE } });
    try {
      const seen = await visit({ script, files: FILES, run: makeMistakes, arg: `${elsewhere.origin}/add.wasm` });
      const text = JSON.stringify(seen.value).replaceAll(elsewhere.origin, 'ELSEWHERE');
      return { ...seen, value: JSON.parse(text) };
    } finally {
      await elsewhere.close();
    }
  };

  before(async () => {
    untraced = (await tryAll(null)).value;
  });

  test('are mistakes', () => {
    const accepted = Object.keys(untraced).filter((name) => untraced[name] === 'no error');
    assert.deepEqual(accepted, []);
  });

  for (const link of ['merged', 'split']) {
    describe(link, () => {
      test('are told as without the page script', async () => {
        const { value, messages } = await tryAll(`data-trace="calls(*)" data-link="${link}"`);
        assert.deepEqual(value, untraced);
        assert.deepEqual(messages, []);
      });
    });
  }
});
