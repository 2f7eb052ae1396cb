// Clocks in pages: a ticker where memory can be shared and a worker of ours is allowed, instructions elsewhere; stopping and starting.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MODULE } from '../e2e/loader-support.js';
import { click, openTab, texts, until } from './panel-page.js';
import { ISOLATED } from './server.js';
import { inBrowsers } from './visit.js';

const FILES = {
  '/add.wasm': MODULE,
  '/worker.js': `
    const loading = WebAssembly.instantiateStreaming(fetch('/add.wasm'));
    onmessage = async () => {
      const { instance } = await loading;
      const end = performance.now() + 50;
      while (performance.now() < end) instance.exports.twice(1);
      postMessage('done');
    };`,
};

/** Runs in the page: what is known of the clock of each session, after calls that took as long as it says. */
const runHere = async ({ milliseconds }) => {
  await globalThis.refusal;
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/add.wasm'));
  const spend = (/** @type {number} */ span) => {
    for (const end = performance.now() + span; performance.now() < end; ) instance.exports.twice(1);
  };
  spend(milliseconds);
  // On a machine that is busy the ticker's thread may have to wait for its turn; to begin, it needs ours to rest.
  while (!hasPassed()) {
    await new Promise((resolve) => setTimeout(resolve));
    spend(milliseconds);
  }
  return describeSessions();
};

const runInWorker = async () => {
  const worker = new Worker('/worker.js');
  while (!hasPassed()) {
    worker.postMessage('go');
    await new Promise((resolve) => (worker.onmessage = resolve));
    await wasmTrace.refresh();
  }
  return describeSessions();
};

/** In the page, too. */
const HELP = `<script>
  const describeSessions = () => ({
    warnings: wasmTrace.warnings,
    sessions: wasmTrace.sessions.map((session) => {
      const { nodes, clock } = session.snapshot();
      const self = [...(nodes.self ?? [])];
      return {
        name: session.name,
        clock: session.clock,
        passed: self.reduce((sum, one) => sum + one, 0),
        least: Math.min(...self),
        now: clock?.now ?? null,
      };
    }),
  });
  const hasPassed = () => describeSessions().sessions.some(({ passed }) => passed > 0);
</script>`;

/** In front of the page script. Notes the addresses of programs that there are. */
const ADDRESSES = `<script>
  const addresses = new Set();
  let made = 0;
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    const url = createObjectURL.call(URL, blob);
    addresses.add(url);
    made++;
    return url;
  };
  URL.revokeObjectURL = (url) => {
    addresses.delete(url);
    revokeObjectURL.call(URL, url);
  };
</script>`;

/** In the page: waits until no address is left; how many there were. */
const waitForNone = async () => {
  while (made === 0 || addresses.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  return made;
};

/** In front of the page script, in a page that allows no worker from a blob: what it says of ours, it says of another one later. */
const NATIVE_WORKER = '<script>globalThis.NativeWorker = Worker</script>';
const AWAIT_REFUSAL = `<script>
  globalThis.refusal = new Promise((resolve) => (new NativeWorker(URL.createObjectURL(new Blob())).onerror = resolve));
</script>`;

/** @param {{warnings: string[], sessions: any[]}} value */
function holdTicker({ warnings, sessions }) {
  assert.deepEqual(warnings, []);
  assert.equal(sessions.length, 1);
  const [{ clock, passed, least, now }] = sessions;
  assert.deepEqual([clock.kind, clock.unit], ['ticker', 'ns']);
  assert.ok(least >= 0);
  // Time has passed in the page's own thread, or a worker's, and nothing from before there was a session is in it.
  assert.ok(passed > 0 && passed <= now, `${passed} of ${now}`);
}

inBrowsers((visit) => {
  describe('an isolated page', () => {
    const isolated = { headers: ISOLATED, files: FILES, head: HELP };

    test('has a ticker', async () => {
      const { value, errors } = await visit({ ...isolated, script: 'data-trace="calls(*)" data-display="tree" data-clock="ticker"', run: runHere, arg: { milliseconds: 200 } });
      assert.deepEqual(errors, []);
      holdTicker(value);
      assert.ok(value.sessions[0].clock.resolution.median > 0);
    });

    test('has one that is what auto means', async () => {
      const { value } = await visit({ ...isolated, script: 'data-trace="calls(*)" data-display="tree" data-clock="auto"', run: runHere, arg: { milliseconds: 200 } });
      holdTicker(value);
    });

    test('keeps no address of a ticker that runs', async () => {
      const head = `${ADDRESSES}<script src="/web/wasm-trace.js" data-trace="calls(*)" data-clock="ticker"></script>`;
      const { value } = await visit({ ...isolated, head, script: null, run: waitForNone });
      assert.equal(value, 1);
    });

    test('keeps the time of its workers', async () => {
      const { value } = await visit({ ...isolated, script: 'data-trace="calls(*)" data-display="tree" data-clock="ticker"', run: runInWorker });
      holdTicker(value);
      assert.match(value.sessions[0].name, /worker 1/);
    });

    /** What a page comes to that forbids workers of ours. @param {string} clock */
    const visitStrict = async (clock) => {
      const headers = { ...ISOLATED, 'Content-Security-Policy': "worker-src 'self'" };
      const tag = `<script src="/web/wasm-trace.js" data-trace="calls(*)" data-display="tree" data-clock="${clock}"></script>`;
      const head = `${NATIVE_WORKER}${tag}${AWAIT_REFUSAL}${HELP}`;
      return visit({ ...isolated, headers, head, script: null, run: runHere, arg: { milliseconds: 1 } });
    };

    test('that forbids workers of ours has instructions where auto is asked, and nothing to tell', async () => {
      const { value } = await visitStrict('auto');
      assert.deepEqual([value.sessions[0].clock.kind, value.warnings], ['instructions', []]);
    });

    test('that forbids workers of ours has instructions', async () => {
      const { value } = await visitStrict('ticker');
      assert.deepEqual([value.sessions[0].clock.kind, value.sessions[0].clock.wall], ['instructions', true]);
      assert.equal(value.warnings.join('\n'), 'wasm-trace: there is no ticker: this page does not allow workers of ours; the clock is instructions, and nanoseconds in calls of the host');
    });
  });

  test('what tracing cost is told, and subtracted when asked for', async () => {
    const script = 'data-trace="calls(*)" data-display="tree" data-clock="host"';
    const run = async () => {
      const { instance } = await WebAssembly.instantiateStreaming(fetch('/add.wasm'));
      for (const end = performance.now() + 50; performance.now() < end; ) instance.exports.twice(1);
      const [{ tracingCost, time }] = wasmTrace.json().sessions;
      return { text: wasmTrace.report('report'), each: tracingCost.each, whole: [time.raw.whole, time.compensated.whole] };
    };
    const told = (await visit({ files: FILES, script, run })).value;
    assert.match(told.text, /\ntracing cost about [\d.]+ [nu]s an event, .* \(data-compensate subtracts it\)\n$/);
    assert.ok(told.each > 0 && told.whole[1] < told.whole[0]);
    const { value } = await visit({ files: FILES, script: `${script} data-compensate`, run });
    assert.match(value.text, /; subtracted from total, self and avg\n$/);
  });

  test('calls are told to the developer tools, when and as long as they were', async () => {
    const run = async () => {
      const { instance } = await WebAssembly.instantiateStreaming(fetch('/add.wasm'));
      const began = performance.now();
      for (let turns = 0; turns < 200 || performance.now() < began + 50; turns++) instance.exports.twice(1);
      return [began, performance.now()];
    };
    /** @type {any[]} */
    let spans = [];
    const script = 'data-trace="calls(*)" data-clock="host" data-panel="right"';
    const inspect = async (/** @type {any} */ page) => {
      await until(page, () => document.querySelector('wasm-trace-panel')?.source.sessions().length > 0);
      await openTab(page, 'Sequence');
      await until(page, () => document.querySelector('wasm-trace-panel').shadowRoot.querySelector('.spans')?.checkVisibility());
      await click(page, '.spans');
      assert.match((await texts(page, '.tools [role=status]')).join(''), /^[\d,]+ calls? told/);
      spans = await page.evaluate(() => performance.getEntriesByType('measure').map(({ name, startTime, duration, detail }) => ({ name, startTime, duration, ...detail.devtools })));
    };
    const { value: [began, ended], errors } = await visit({ files: FILES, script, run, inspect });
    assert.deepEqual(errors, []);
    assert.ok(spans.length > 0 && spans.length <= 5000);
    for (const { startTime, duration, track, dataType } of spans) {
      assert.deepEqual([track, dataType], ['add.wasm', 'track-entry']);
      assert.ok(duration > 0 && startTime >= began - 2 && startTime + duration <= ended + 2);
    }
  });

  describe('a page like most', () => {
    test('has instructions, and the time of the host beside them, where auto is asked', async () => {
      const { value } = await visit({ files: FILES, head: HELP, script: 'data-trace="calls(*)" data-display="tree" data-clock="auto"', run: runHere, arg: { milliseconds: 1 } });
      const [{ clock, passed }] = value.sessions;
      assert.deepEqual([clock.kind, clock.unit, clock.wall], ['instructions', 'instructions', true]);
      assert.ok(passed > 0);
      assert.deepEqual(value.warnings, []);
    });

    test('stops to record, and begins again', async () => {
      const { value } = await visit({
        files: FILES,
        script: 'data-trace="calls(*)" data-display="tree" data-stopped',
        run: async () => {
          const { instance } = await WebAssembly.instantiateStreaming(fetch('/add.wasm'));
          const count = () => wasmTrace.sessions[0].snapshot().nodes.count.reduce((sum, one) => sum + one, 0);
          const seen = [wasmTrace.isRecording];
          const call = () => {
            instance.exports.twice(1);
            seen.push(count());
          };
          call();
          wasmTrace.start();
          call();
          wasmTrace.stop();
          call();
          return [...seen, wasmTrace.isRecording];
        },
      });
      assert.deepEqual(value, [false, 0, 2, 2, false]);
    });
  });
});
