// wasm-trace serve: files as they are, none from outside of the folder, and who may ask for them.
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

import { Random } from '../fuzz/random.js';
import { NAVIGATE, makeSiteFolder, request, startSite, text } from './serve-support.js';

describe('files', () => {
  const FILES = {
    'index.html': '<p>start',
    'app.wasm': '\0asm',
    'a+b #1%.txt': 'odd',
    'empty.bin': '',
    'docs/index.html': '<p>docs',
    'about.html': '<p>about',
  };

  test('are sent whole, with their types, never to be kept', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, FILES));
    const wasm = await request(site, '/app.wasm?v=1');
    assert.deepEqual([wasm.status, wasm.headers['content-type'], wasm.headers['cache-control']], [200, 'application/wasm', 'no-store']);
    assert.equal(wasm.body.toString(), '\0asm');
    assert.equal(await text(request(site, `/${encodeURIComponent('a+b #1%.txt')}`)), 'odd');
    assert.equal(await text(request(site, '/about')), '<p>about');
    assert.deepEqual([(await request(site, '/empty.bin')).status, (await request(site, '/missing')).status], [200, 404]);
    assert.equal((await request(site, '/app.wasm/')).status, 404);
  });

  test('are read anew for each request', async (t) => {
    const folder = makeSiteFolder(t, FILES);
    const site = await startSite(t, folder);
    await request(site, '/app.wasm');
    writeFileSync(path.join(folder, 'app.wasm'), 'changed');
    const headers = { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() };
    assert.equal(await text(request(site, '/app.wasm', { headers })), 'changed');
  });

  test('a folder is its index.html, and its address ends with a slash', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, FILES));
    const { status, headers } = await request(site, '/docs?wasm-trace=calls');
    assert.deepEqual([status, headers.location], [302, '/docs/?wasm-trace=calls']);
    assert.equal(await text(request(site, '/docs/')), '<p>docs');
    assert.equal((await request(site, '//docs')).headers.location, '/docs/', 'not the address of another server');
  });

  test('a folder without index.html names its pages', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, { 'a b.html': '', 'deep/x"y.htm': '', 'node_modules/no.html': '', 'app.js': '' }));
    const { status, body } = await request(site, '/', { headers: NAVIGATE });
    assert.equal(status, 404);
    assert.deepEqual([...body.toString().matchAll(/href="([^"]*)"/g)].map(([, href]) => href), ['a%20b.html', 'deep/x%22y.htm']);
  });

  const RANGES = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=1-2,4-5', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ];

  test('ranges', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, { ten: '0123456789' }));
    for (const [range, ...expected] of RANGES) {
      const { status, headers, body } = await request(site, '/ten', { headers: { range } });
      assert.deepEqual([status, body.toString(), headers['content-range']], expected, range);
    }
  });

  test('GET and HEAD only', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, FILES));
    const { status, headers, body } = await request(site, '/app.wasm', { method: 'HEAD' });
    assert.deepEqual([status, headers['content-length'], body.length], [200, '4', 0]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) assert.equal((await request(site, '/app.wasm', { method })).status, 405, method);
  });
});

describe('no path escapes the folder', () => {
  const PIECES = [
    '..', '%2e%2e', '.%2E', '.', '', '%2f', '%5c', '\\', '..%2f', '..%5c', '%252e%252e', '%00', '%c0%ae', '%', 'out', 'link.txt', 'in',
    'inner', 'a.txt', 'secret.txt', 'root', 'C:',
  ];

  /** root/ with a link to what is beside it, and one to what is in it. */
  async function startBeside(t) {
    const secrets = { 'secret.txt': 'SECRET', 'root-2/secret.txt': 'SECRET' };
    const folder = makeSiteFolder(t, { ...secrets, 'root/a.txt': 'a', 'root/inner/a.txt': 'inner' });
    symlinkSync(folder, path.join(folder, 'root/out'));
    symlinkSync(path.join(folder, 'secret.txt'), path.join(folder, 'root/link.txt'));
    symlinkSync('inner', path.join(folder, 'root/in'));
    return startSite(t, path.join(folder, 'root'));
  }

  test('links are followed inside only, and the terminal says so', async (t) => {
    const site = await startBeside(t);
    assert.equal(await text(request(site, '/in/a.txt')), 'inner');
    for (const target of ['/out/secret.txt', '/link.txt', '/out/']) assert.equal((await request(site, target)).status, 403, target);
    assert.match(site.printed.text, /^warning: .*link\.txt leads out of the folder and is not served$/m);
  });

  test('any sequence of odd names', async (t) => {
    const site = await startBeside(t);
    const random = new Random(4);
    for (let i = 0; i < 1500; i++) {
      const target = `/${random.list(1 + random.below(5), () => random.pick(PIECES)).join('/')}`;
      const { status, headers, body } = await request(site, target);
      assert.ok([200, 302, 403, 404].includes(status), `${target}: ${status}`);
      assert.ok(!body.includes('SECRET'), target);
      if (status === 302) assert.match(headers.location, /^\/[^/\\]/, target);
    }
  });

  test('targets that are no paths', async (t) => {
    const site = await startBeside(t);
    for (const target of ['*', 'secret.txt', '../secret.txt', 'http://127.0.0.1/../secret.txt', 'file:///etc/passwd']) {
      const { status, body } = await request(site, target);
      assert.ok(status === 404 || status === 400, `${target}: ${status}`);
      assert.ok(!body.includes('SECRET'), target);
    }
  });
});

describe('who asks', () => {
  test('by which name', async (t) => {
    const root = makeSiteFolder(t, { a: '1' });
    const site = await startSite(t, root);
    const status = async (host, to = site) => (await request(to, '/a', { headers: { host } })).status;
    for (const host of ['localhost', 'localhost:80', 'app.localhost:1', '127.0.0.1:8080', '[::1]:8080', '192.168.0.7'])
      assert.equal(await status(host), 200, host);
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'xlocalhost'])
      assert.equal(await status(host), 403, host);
    assert.equal(await status('my-machine:8080', await startSite(t, root, { isOpen: true })), 200);
  });

  test('from which page reports are taken', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, {}));
    const status = async (headers) => (await request(site, '/__wasm-trace/report', { method: 'POST', headers, body: 'x' })).status;
    assert.equal(await status({}), 204);
    assert.equal(await status({ origin: site.url, host: new URL(site.url).host }), 204);
    assert.equal(await status({ 'sec-fetch-site': 'same-origin' }), 204);
    for (const site of ['cross-site', 'same-site', 'none']) assert.equal(await status({ 'sec-fetch-site': site }), 403, site);
    for (const origin of ['null', 'http://evil.example', 'http://localhost:1']) assert.equal(await status({ origin }), 403, origin);
  });

  test('isolation is there when it is asked for, and only then', async (t) => {
    const root = makeSiteFolder(t, { 'a.html': '' });
    const headersOf = async (args, target) => {
      const { headers } = await request(await startSite(t, root, { args }), target, { headers: NAVIGATE });
      return Object.keys(headers).filter((name) => name.startsWith('cross-origin'));
    };
    const all = ['cross-origin-opener-policy', 'cross-origin-embedder-policy', 'cross-origin-resource-policy'];
    for (const target of ['/a.html', '/missing', '/__wasm-trace/worker.js']) {
      assert.deepEqual(await headersOf(['--isolate'], target), all);
      assert.deepEqual(await headersOf([], target), []);
    }
  });
});
