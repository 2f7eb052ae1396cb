// wasm-trace serve: files, what is put into pages and workers, who may ask, what pages report, the command.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

import { quoteWords, splitWords } from '../../js/loader/words.js';
import { parseCommand } from '../../node/options.js';
import { findScriptPlace } from '../../node/server/page.js';
import { scriptTag, workerOptions } from '../../node/server/script-tag.js';
import { Random } from '../fuzz/random.js';
import { NAVIGATE, Printed, START_WORKER, makeSiteFolder, request, startSite, workerText } from './serve-support.js';

const COMMAND = fileURLToPath(new URL('../../node/wasm-trace.js', import.meta.url));

const text = async (response) => (await response).body.toString();

describe('files', () => {
  const FILES = { 'index.html': '<p>start', 'app.wasm': '\0asm', 'a+b #1%.txt': 'odd', 'empty.bin': '', 'docs/index.html': '<p>docs', 'about.html': '<p>about' };

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
    assert.equal(await text(request(site, '/app.wasm', { headers: { 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() } })), 'changed');
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
    const folder = makeSiteFolder(t, { 'secret.txt': 'SECRET', 'root-2/secret.txt': 'SECRET', 'root/a.txt': 'a', 'root/inner/a.txt': 'inner' });
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
      const names = Array.from({ length: 1 + random.below(5) }, () => PIECES[random.below(PIECES.length)]);
      const target = `/${names.join('/')}`;
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

describe('pages', () => {
  /** The place of the script is "@". */
  const PLACES = [
    '@',
    '@text',
    '@<p>no head',
    '<!doctype html>@<title>x</title>',
    '<!DOCTYPE html>\n<html lang=en>\n<head>@\n<meta charset=utf-8>',
    '\ufeff<!doctype html><head>@<title>',
    '<!-- <head> --><!doctype html><!-- > --><html><!-- -- --><head>@',
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD" "http://x"><html xmlns="http://x"><head profile="a>b">@',
    '<html data-a=\'<head>\' b="x>y" c=d/e">@<body>',
    '<html ="">@" a= >',
    '<html a= >@" >',
    '<html><!-- a head comes -->\n<HEAD\nid=x>@<script src="first.js"></script>',
    '@<htmlx><head>',
    '@<header><head>',
    '<html>@<header>',
    '<!-->@<head-->',
    '<!--->@<x>',
    '<!-- x --!><head>@',
    '@<!-- never closed <head>',
    '@<html never closed',
    '<html> <!-- x -->\n@<script>1</script><head>',
    '<html> <html lang=en>\n<head>@',
  ];

  for (const page of PLACES) {
    test(JSON.stringify(page), () => {
      const at = page.indexOf('@');
      assert.equal(findScriptPlace(page.replace('@', '')), at);
    });
  }

  test('a beginning that takes long to read in the wrong way', () => {
    findScriptPlace(`<html ${'a'.repeat(1e5)}`);
    findScriptPlace(`<html${' a=b'.repeat(1e5)}`);
    findScriptPlace('<!--'.repeat(1e5));
  });

  test('get the script and keep their lines; what scripts fetch stays as it is', async (t) => {
    const page = '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n';
    const site = await startSite(t, makeSiteFolder(t, { 'a.html': page }), { args: ['--trace', 'calls'] });
    for (const destination of ['document', 'iframe', 'frame'])
      assert.equal(await text(request(site, '/a.html', { headers: { ...NAVIGATE, 'sec-fetch-dest': destination } })), page.replace('<head>', `<head>${site.tag}`));
    assert.equal(await text(request(site, '/a.html', { headers: { 'sec-fetch-dest': 'empty', accept: 'text/html' } })), page);
    assert.equal(await text(request(site, '/a.html', { headers: { accept: 'text/html' } })), page.replace('<head>', `<head>${site.tag}`), 'an older browser');
    assert.equal(await text(request(site, '/a.html', { headers: { accept: '*/*' } })), page);
    assert.doesNotMatch(site.tag, /\n/);
  });

  test('keep their encoding', async (t) => {
    const mark = { le: [0xff, 0xfe], be: [0xfe, 0xff] };
    const wide = (name, content) => {
      const bytes = Buffer.from(content, 'utf16le');
      return Buffer.from([...mark[name], ...(name === 'be' ? bytes.swap16() : bytes)]);
    };
    const long = `<!doctype html><head><!--${' '.repeat(800)}--><meta charset="windows-1252">\xe9`;
    const site = await startSite(t, makeSiteFolder(t, {
      'utf8.html': '<head>é', 'bom.html': '\ufeff<head>é', 'latin.html': Buffer.from('<head>\xe9', 'latin1'), 'declared.html': Buffer.from(long, 'latin1'),
      'le.html': wide('le', '<head>é'), 'be.html': wide('be', '<head>é'),
    }));
    const get = async (name) => {
      const { headers, body } = await request(site, `/${name}.html`, { headers: NAVIGATE });
      return [headers['content-type'], body];
    };
    assert.deepEqual(await get('utf8'), ['text/html;charset=utf-8', Buffer.from(`<head>${site.tag}é`)]);
    assert.deepEqual(await get('bom'), ['text/html;charset=utf-8', Buffer.from(`\ufeff<head>${site.tag}é`)]);
    assert.deepEqual(await get('latin'), ['text/html', Buffer.from(`<head>${site.tag}\xe9`, 'latin1')]);
    assert.deepEqual((await get('declared'))[0], 'text/html;charset=windows-1252');
    assert.deepEqual(await get('le'), ['text/html;charset=utf-16le', wide('le', `<head>${site.tag}é`)]);
    assert.deepEqual(await get('be'), ['text/html;charset=utf-16be', wide('be', `<head>${site.tag}é`)]);
  });

  test('are told the question', () => {
    const args = ['-t', 'arg(0, malloc)', '-t', 'calls:"a b"<é', '--min-size', '0', '--stack', '--link=split', '--panel', 'right', '--isolate'];
    const { options } = parseCommand(args, 'wasm-trace serve');
    assert.equal(scriptTag(options), '<script src="/__wasm-trace/wasm-trace.js" data-trace="arg(0, malloc) &#34;calls:\\&#34;a b\\&#34;&#60;&#233;&#34;"' +
      ' data-min-size="0" data-stack data-link="split" data-panel="right" data-served="/__wasm-trace/" data-on-trap="/__wasm-trace/trap"></script>');
    assert.deepEqual(workerOptions(options), {
      trace: ['arg(0, malloc)', 'calls:"a b"<é'], minSize: 0, stack: true, link: 'split', served: '/__wasm-trace/', onTrap: 'wasm-trace' });
  });

  test('words that are put together come apart again', () => {
    const random = new Random(5);
    const CHARS = [...'ab (),"\'\\\t\n#*/é'];
    for (let i = 0; i < 5000; i++) {
      const words = Array.from({ length: 1 + random.below(3) }, () => Array.from({ length: random.below(7) }, () => CHARS[random.below(CHARS.length)]).join(''));
      assert.deepEqual(splitWords(quoteWords(words)), words);
    }
  });
});

describe('worker scripts', () => {
  /** Runs a classic script; what it has left in its global. */
  function runClassic(source) {
    const context = vm.createContext({});
    vm.runInContext(source, context);
    return { ...context };
  }

  async function getWorker(t, source, headers = START_WORKER) {
    const site = await startSite(t, makeSiteFolder(t, { 'w.js': source }));
    return { source: await text(request(site, '/w.js', { headers })), printed: site.printed.text };
  }

  for (const [name, script, result] of [
    ['sloppy', 'var kind = typeof (function () { return this; })();', 'object'],
    ['strict', '"use strict"; var kind = typeof (function () { return this; })();', 'undefined'],
    ['strict behind comments', '/* x */ // "no"\n\'a\'\n"use strict"\nvar kind = typeof (function () { return this; })();', 'undefined'],
    ['no directive', '("use strict"); var kind = typeof (function () { return this; })();', 'object'],
    ['no directive either', '"use strict" + 1; var kind = typeof (function () { return this; })();', 'object'],
    ['with a mark and #!', '\ufeff#!/usr/bin/env node\nvar kind = "ran";', 'ran'],
    ['ends with a comment', 'var kind = "ran"; // end', 'ran'],
  ]) {
    test(`classic: ${name}`, async (t) => {
      const { source } = await getWorker(t, script);
      assert.deepEqual(runClassic(source), { hooked: '', kind: result });
      assert.equal(source.split('\n').length, script.split('\n').length);
    });
  }

  for (const script of ['import "./x.js";\n1', 'const a = 1;\nexport { a };', 'console.log(import.meta.url)', 'await 1;']) {
    test(`module: ${JSON.stringify(script)}`, async (t) => {
      const { source } = await getWorker(t, script);
      assert.equal(source, `import "/__wasm-trace/worker.mjs";${script}`);
    });
  }

  test('what is no script is left to the browser, and told', async (t) => {
    const { source, printed } = await getWorker(t, 'var = 1;');
    assert.equal(source, 'var = 1;');
    assert.match(printed, /^warning: the worker w\.js runs untraced: Unexpected token '='$/m);
  });

  test('other requests for scripts, service workers, imports of workers: as they are', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, { 'w.js': '1', 'w.txt': '1' }));
    const others = ['script', 'serviceworker', 'sharedworker', 'audioworklet'].map((destination) => ({ 'sec-fetch-dest': destination }));
    for (const headers of [{}, ...others, { ...START_WORKER, 'sec-fetch-mode': 'cors' }])
      assert.equal(await text(request(site, '/w.js', { headers })), '1');
    assert.equal(await text(request(site, '/w.txt', { headers: START_WORKER })), '1');
  });

  test('the question in the address of the page reaches its workers', async (t) => {
    const site = await startSite(t, makeSiteFolder(t, { 'w.js': '1', 'm.js': 'export {}' }));
    const headers = { ...START_WORKER, referer: `${site.url}/app.html?wasm-trace=calls#top` };
    assert.equal(await text(request(site, '/w.js', { headers })), `${workerText('?wasm-trace=calls')}1`);
    const [, address] = /^import "(.*?)";/.exec(await text(request(site, '/m.js', { headers })));
    assert.equal(await text(request(site, address)), `${workerText('?wasm-trace=calls')}\n`);
    assert.equal(await text(request(site, '/w.js', { headers: { ...headers, referer: 'nothing' } })), `${workerText('')}1`);
  });
});

describe('who asks', () => {
  test('by which name', async (t) => {
    const root = makeSiteFolder(t, { a: '1' });
    const site = await startSite(t, root);
    const status = async (host, to = site) => (await request(to, '/a', { headers: { host } })).status;
    for (const host of ['localhost', 'localhost:80', 'app.localhost:1', '127.0.0.1:8080', '[::1]:8080', '192.168.0.7']) assert.equal(await status(host), 200, host);
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'xlocalhost']) assert.equal(await status(host), 403, host);
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
    const headersOf = async (args, target) => Object.keys((await request(await startSite(t, root, { args }), target, { headers: NAVIGATE })).headers).filter((name) => name.startsWith('cross-origin'));
    const all = ['cross-origin-opener-policy', 'cross-origin-embedder-policy', 'cross-origin-resource-policy'];
    for (const target of ['/a.html', '/missing', '/__wasm-trace/worker.js']) {
      assert.deepEqual(await headersOf(['--isolate'], target), all);
      assert.deepEqual(await headersOf([], target), []);
    }
  });
});

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
    assert.equal(site.printed.text, `${block('1.0')}${block('2.0')}${block('4.0')}http://x/ hangs for 8.0 s outside of traced modules\nhttp://x/ lives again after 8.0 s\n`);
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
    for (const [, name] of page.body.toString().matchAll(/(?:src|href)="([^"]*)"/g)) assert.equal((await request(site, `/__wasm-trace/${name}`)).status, 200, name);
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
    while (!output.includes('Ctrl-C ends it')) await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => assert.fail(output))]);
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
    [['-t', 'calls(x'], 2, "wasm-trace serve: --trace, column 8: missing ) at the end of the probe\n  calls(x\n         ^\nTry 'wasm-trace serve --help'.\n"],
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
