// wasm-trace serve: what pages report and how it is shown, and the command.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

import { NAVIGATE, Printed, makeSiteFolder, request, startSite } from './serve-support.js';

const COMMAND = fileURLToPath(new URL('../../node/wasm-trace.js', import.meta.url));

describe('what pages report', () => {
  const post = (site, name, value, headers = {}) =>
    request(site, `/__wasm-trace/${name}`, { method: 'POST', headers, body: typeof value === 'string' ? value : JSON.stringify(value) });
  const hang = (milliseconds, stack = ['spin', 'main'], page = 'http://x/') => ({ page, session: 'app.wasm', milliseconds, stack });
  const END = { page: 'http://x/', session: '', milliseconds: 0, stack: [] };

  test('reports and traps are printed, but what steers a terminal', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, {}));
    await post(site, 'report', 'Total\n\tx \x1b[2J\n');
    await post(site, 'trap', { text: 'trap: unreachable in f\n', page: 'http://x/' });
    assert.equal(site.printed.text, 'Total\n\tx \ufffd[2J\nhttp://x/\ntrap: unreachable in f\n');
  });

  test('what is too long, or not what it should be, is refused', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, {}));
    assert.equal((await post(site, 'report', 'x'.repeat(2 ** 20))).status, 204);
    assert.equal((await post(site, 'report', 'x'.repeat(2 ** 20 + 1))).status, 413);
    for (const value of ['', 'no JSON', 'null', '[]', {}, { ...hang(1), page: 1 }, { ...hang(1), stack: [1] }, { ...hang(1), milliseconds: '1' }])
      assert.equal((await post(site, 'hang', value)).status, 400, JSON.stringify(value));
    assert.equal((await post(site, 'trap', {})).status, 400);
    assert.equal((await post(site, 'worker.js', '')).status, 404);
    assert.equal((await post(site, 'nothing', '')).status, 404);
  });

  test('a hang is told when it begins, when it has become twice as long, and when it ends', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, {}));
    for (const milliseconds of [1000, 1250, 1900, 2000, 2500, 3900, 4000]) await post(site, 'hang', hang(milliseconds));
    await post(site, 'hang', { ...hang(8000, []), session: '' });
    await post(site, 'hang', END);
    await post(site, 'hang', END);
    const block = (time) => `http://x/ hangs for ${time} s in app.wasm\n    spin\n    main\n`;
    const end = 'http://x/ hangs for 8.0 s outside of traced modules\nhttp://x/ lives again after 8.0 s\n';
    assert.equal(site.printed.text, `${['1.0', '2.0', '4.0'].map(block).join('')}${end}`);
  });

  test('on a terminal it is painted in place', async (t) => {
    const printed = new Printed(true);
    const site = await startSite(t, makeSiteFolder(t, {}), { printed });
    await post(site, 'hang', hang(1000, ['\x1bspin', 'x'.repeat(100)]));
    await post(site, 'hang', hang(2000, ['main']));
    await post(site, 'report', 'between');
    await post(site, 'hang', hang(3000, ['main']));
    await post(site, 'hang', END);
    assert.equal(printed.text, [
      `http://x/ hangs for 1.0 s in app.wasm\n    \ufffdspin\n    ${'x'.repeat(55)}\n`,
      '\x1b[3A\x1b[Jhttp://x/ hangs for 2.0 s in app.wasm\n    main\n',
      'between\n',
      'http://x/ hangs for 3.0 s in app.wasm\n    main\n',
      '\x1b[2A\x1b[Jhttp://x/ lives again after 3.0 s\n',
    ].join(''));
  });

  test('a second tab hears of it', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, {}));
    await post(site, 'hang', hang(1000));
    const heard = await listenTo(t, site, '/__wasm-trace/hang/events');
    await post(site, 'hang', hang(2000, ['other']));
    await post(site, 'hang', END);
    assert.deepEqual(await heard(3), [
      { hang: hang(1000), isOver: false, count: 1 },
      { hang: hang(2000, ['other']), isOver: false, count: 1 },
      { hang: hang(2000, ['other']), isOver: true, count: 0 },
    ]);
    const page = await request(site, '/__wasm-trace/hang', { headers: NAVIGATE });
    assert.match(page.headers['content-security-policy'], /^default-src 'none'/);
    assert.ok(!page.body.includes(site.tag), 'it is not traced itself');
    for (const [, name] of page.body.toString().matchAll(/(?:src|href)="([^"]*)"/g))
      assert.equal((await request(site, `/__wasm-trace/${name}`)).status, 200, name);
    assert.equal((await request(site, '/__wasm-trace/hang/events', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
  });

  /** Events of a stream, as many as are asked for. */
  async function listenTo(t, { port }, target) {
    const sent = http.get({ host: '127.0.0.1', port, path: target, agent: false });
    t.after(() => sent.destroy());
    const [response] = await once(sent, 'response');
    response.setEncoding('utf8');
    let received = '';
    response.on('data', (chunk) => (received += chunk));
    const events = () => [...received.matchAll(/^data: (.*)\n\n/gm)].map(([, data]) => JSON.parse(data));
    return async (count) => {
      while (events().length < count) await once(response, 'data');
      return events();
    };
  }
});

describe('the command', () => {
  /** @returns {Promise<{child: import('node:child_process').ChildProcess, url: string, output: () => string}>} once it listens */
  async function start(t, args) {
    const child = spawn(process.execPath, [COMMAND, 'serve', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    const early = once(child, 'exit').then(() => assert.fail(output));
    while (!output.includes('Ctrl-C ends it')) await Promise.race([once(child.stdout, 'data'), early]);
    early.catch(() => {});
    return { child, output: () => output, url: /http:\/\/\S+/.exec(output)[0] };
  }

  test('serves a folder until Ctrl-C, which closes what is open', async (t) => {
    const folder = makeSiteFolder(t, { 'index.html': '<head>', 'w.js': '1' });
    const { child, url, output } = await start(t, ['--port', '0', '--trace', 'calls', '--isolate', folder]);
    assert.match(output(), /^serving \S+ at http:\/\/127\.0\.0\.1:\d+\/\n {2}traced: calls\n/);
    assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /^<head><script src="\/__wasm-trace\/wasm-trace\.js" data-trace="calls"/);
    const script = await fetch(`${url}__wasm-trace/wasm-trace.js`);
    assert.deepEqual([script.status, script.headers.get('content-type')], [200, 'text/javascript']);
    const worker = await (await fetch(`${url}__wasm-trace/worker.js`)).text();
    assert.equal(worker.split('\n').length, 2, 'one line');
    new vm.Script(`${worker.trim()}import_ed = 1`);
    const events = await fetch(`${url}__wasm-trace/hang/events`);
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    await assert.rejects(events.text());
  });

  test('takes another port when none was asked for', async (t) => {
    const folder = makeSiteFolder(t, {});
    const first = await start(t, ['--port', '0', folder]);
    const { port } = new URL(first.url);
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'serve', '--port', port, folder], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [1, `wasm-trace: 127.0.0.1, port ${port}: address already in use\n`]);
    const [second, third] = [await start(t, [folder]), await start(t, [folder])];
    assert.notEqual(second.url, third.url);
    assert.match(third.output(), /port \d+ is in use, so this is \d+/);
  });

  test('says that others can read what it serves', async (t) => {
    const { output } = await start(t, ['--port', '0', '--host', '0.0.0.0', makeSiteFolder(t, {})]);
    assert.match(output(), /warning: whoever reaches 0\.0\.0\.0 can read all files in /);
  });

  for (const [args, status, message] of [
    [['missing'], 1, 'wasm-trace: missing: no such file or directory\n'],
    [[COMMAND], 1, `wasm-trace: ${COMMAND}: is no directory\n`],
    [['--port', '70000'], 2, "wasm-trace serve: --port takes a number up to 65535, not '70000'\nTry 'wasm-trace serve --help'.\n"],
    [['--panel', 'left'], 2, "wasm-trace serve: --panel takes right or bottom, not 'left'\nTry 'wasm-trace serve --help'.\n"],
    [['a', 'b'], 2, "wasm-trace serve: it takes one DIR\nTry 'wasm-trace serve --help'.\n"],
    [
      ['-t', 'calls(x'],
      2,
      `wasm-trace serve: --trace, column 8: missing ) at the end of the probe\n  calls(x\n         ^\nTry 'wasm-trace serve --help'.\n`,
    ],
    [['--output', 'x'], 2, "wasm-trace serve: --output is an option of wasm-trace\nTry 'wasm-trace serve --help'.\n"],
  ]) {
    test(`wrong: serve ${args.map((word) => path.basename(word)).join(' ')}`, () => {
      const result = spawnSync(process.execPath, [COMMAND, 'serve', ...args], { encoding: 'utf8' });
      assert.deepEqual([result.status, result.stderr], [status, message]);
    });
  }

  test('--help fits a terminal of 80 columns', () => {
    const { stdout } = spawnSync(process.execPath, [COMMAND, 'serve', '--help'], { encoding: 'utf8' });
    assert.match(stdout, /^Usage: wasm-trace serve \[OPTIONS\] \[DIR\]\n/);
    assert.deepEqual(stdout.split('\n').filter((line) => line.length > 80), []);
  });
});
