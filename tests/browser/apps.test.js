// Real packages in real pages work out with the page script what they work out without it, linked either way, and are traced.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { SUPPORT, apps, installApp } from './apps.js';
import { ISOLATED } from './server.js';
import { inBrowsers } from './visit.js';

/** Runs in the page. A worker that is busy does not answer at once. @param {number} wanted instances */
const countTraced = async (wanted) => {
  const { wasmTrace } = /** @type {any} */ (globalThis);
  for (let i = 0; i === 0 || (i < 20 && wasmTrace.source.sessions().length < wanted); i++) await wasmTrace.refresh();
  const counts = wasmTrace.source.sessions().map((session) => session.snapshot().nodes.count);
  return {
    modules: wasmTrace.source.modules().length,
    traced: counts.filter((count) => count.length > 1).length,
    calls: counts.flatMap((count) => Array.from(count)).reduce((sum, count) => sum + count, 0),
  };
};

/** @param {import('./apps.js').App} app */
function headOf({ script, imports = {} }) {
  const tag = script ? `<script src="/packages/${script}"></script>` : '';
  return `<script type="importmap">${JSON.stringify({ imports })}</script><script src="/support.js"></script>${tag}`;
}

const wantsSlow = Boolean(process.env.WASM_TRACE_SLOW);

inBrowsers((visit) => {
  for (const app of apps.filter(({ slow = false }) => slow === wantsSlow)) {
    describe(`${app.name}: ${app.kind}`, () => {
      const { isolated, run, modules } = app;
      /** @type {import('./visit.js').Visit} */
      let what;
      /** @type {unknown} */
      let untraced;

      before(async () => {
        const files = { '/support.js': SUPPORT };
        what = { head: headOf(app), files, folders: { '/packages/': installApp(app) }, headers: isolated ? ISOLATED : {}, run };
        untraced = (await visit({ ...what, script: null })).value;
      });

      for (const link of ['merged', 'split']) {
        test(link, async () => {
          /** @type {any} */
          let counts;
          const inspect = async (page) => (counts = await page.evaluate(countTraced, modules));
          const seen = await visit({ ...what, script: `data-trace="calls" data-display="tree" data-link="${link}"`, inspect });
          assert.deepEqual(seen.value, untraced);
          assert.deepEqual([seen.messages.filter((message) => message.includes('wasm-trace')), seen.errors], [[], []]);
          assert.ok(counts.traced >= modules && counts.calls > 100, JSON.stringify(counts));
        });
      }
    });
  }
});
