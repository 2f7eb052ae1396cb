// What the page script costs a page, in Chromium: being loaded, the first module, and real modules beside the page without it; and
// what its panel keeps in memory.
import path from 'node:path';
import { findBrowser } from '../../cmake/find-browser.mjs';
import { launch } from '../browser/browsers.js';
import { serve } from '../browser/server.js';
import { root } from '../command.mjs';
import { bigModules } from './packages.mjs';
import { median, medianRatio } from './statistics.mjs';
import { megabytes, ms, printTable, times } from './table.mjs';

/** (module (func (export "run"))) */
const SMALL = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 7, 1, 3, 0x72, 0x75, 0x6e, 0, 0, 10, 4, 1, 2, 0, 0x0b],
);

const KINDS = Object.freeze({
  plain: '',
  script: '<script src="/web/wasm-trace.js" data-trace="calls" data-button="false"></script>',
  panel: '<script src="/web/wasm-trace.js" data-trace="calls" data-panel="right"></script>',
});

/** @param {number} repeat */
export async function benchmarkPage(repeat) {
  if (!findBrowser('chromium')) return console.log('\nPage: skipped, there is no Chromium');
  const modules = bigModules();
  const server = await serve(siteOf(modules));
  const browser = await launch('chromium');
  try {
    const measure = (/** @type {keyof KINDS} */ kind, /** @type {string | null} */ name) => measurePage(browser, server.origin, kind, name);
    const loads = await interleave(repeat, ['plain', 'script'], (kind) => measure(kind, 'small.wasm'));
    printLoading(repeat, loads);
    for (const { name, size } of modules) {
      printModule(repeat, name, size, await interleave(repeat, ['plain', 'script', 'panel'], (kind) => measure(kind, name)));
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** @param {{name: string, path: string}[]} modules */
function siteOf(modules) {
  const pages = Object.entries(KINDS).map(([kind, tag]) => [
    `/${kind}.html`,
    `<!doctype html><meta charset="utf-8"><script>performance.mark("before")</script>${tag}<script>performance.mark("after")</script><body>`,
  ]);
  return {
    files: { ...Object.fromEntries(pages), '/small.wasm': SMALL },
    folders: {
      '/web/': path.join(root, 'build/web'),
      ...Object.fromEntries(modules.map((module) => [`/${module.name}`, module.path])),
    },
  };
}

/** @param {number} repeat @param {string[]} kinds @param {(kind: any) => Promise<object>} measure */
async function interleave(repeat, kinds, measure) {
  /** @type {Record<string, any[]>} */
  const results = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let i = 0; i < repeat; i++) for (const kind of kinds) results[kind].push(await measure(kind));
  return results;
}

/** A page of its own, in a process of its own. */
async function measurePage(browser, origin, kind, module) {
  const page = await browser.newPage();
  try {
    await page.goto(`${origin}/${kind}.html`);
    const times = await page.evaluate(instantiate, `/${module}`);
    return { ...times, heap: await heapOf(page) };
  } finally {
    await page.close();
  }
}

/** Runs in the page; imports are functions that return 0. @param {string} address */
async function instantiate(address) {
  const [before] = performance.getEntriesByName('before');
  const [after] = performance.getEntriesByName('after');
  const began = performance.now();
  const module = await WebAssembly.compileStreaming(fetch(address));
  const imports = {};
  const values = { function: () => () => 0, memory: () => new WebAssembly.Memory({ initial: 1024, maximum: 65536 }) };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = values[kind]();
  await WebAssembly.instantiate(module, imports);
  return { loading: after.startTime - before.startTime, instantiating: performance.now() - began };
}

/** Bytes of JavaScript after a collection. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
  return usedSize + backingStorageSize;
}

const column = (results, key) => results.map((result) => result[key]);

function printLoading(repeat, { plain, script }) {
  const row = (title, key) => {
    const [without, withScript] = [median(column(plain, key)), median(column(script, key))];
    return [title, ms(without), ms(withScript), ms(withScript - without)];
  };
  printTable(`The page script, Chromium: medians of ${repeat}`, ['', 'plain page', 'with the script', 'added'], [
    row('loading it (from this machine)', 'loading'),
    row('the first module, of 33 bytes', 'instantiating'),
  ]);
}

function printModule(repeat, name, size, results) {
  const { plain } = results;
  const rows = Object.entries(results).map(([kind, of]) => [
    kind,
    ms(median(column(of, 'instantiating'))),
    times(medianRatio(column(of, 'instantiating'), column(plain, 'instantiating'))),
    megabytes(median(column(of, 'heap'))),
  ]);
  printTable(`${name}, ${megabytes(size)}, fetched, compiled and instantiated: medians of ${repeat}`, ['page', 'time', 'ratio', 'JavaScript'], rows);
}
