// wasm-trace serve: what is put into pages and in front of the scripts of workers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import vm from 'node:vm';

import { quoteWords, splitWords } from '../../js/loader/words.js';
import { parseCommand } from '../../node/options.js';
import { findScriptPlace } from '../../node/server/page.js';
import { scriptTag, workerOptions } from '../../node/server/script-tag.js';
import { Random } from '../fuzz/random.js';
import { NAVIGATE, START_WORKER, makeSiteFolder, request, startSite, text, workerText } from './serve-support.js';

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
    const injected = page.replace('<head>', `<head>${site.tag}`);
    const get = (headers) => text(request(site, '/a.html', { headers }));
    for (const destination of ['document', 'iframe', 'frame']) assert.equal(await get({ ...NAVIGATE, 'sec-fetch-dest': destination }), injected);
    assert.equal(await get({ 'sec-fetch-dest': 'empty', accept: 'text/html' }), page);
    assert.equal(await get({ accept: 'text/html' }), injected, 'an older browser');
    assert.equal(await get({ accept: '*/*' }), page);
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
      'utf8.html': '<head>é',
      'bom.html': '\ufeff<head>é',
      'latin.html': Buffer.from('<head>\xe9', 'latin1'),
      'declared.html': Buffer.from(long, 'latin1'),
      'le.html': wide('le', '<head>é'),
      'be.html': wide('be', '<head>é'),
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
    const args = ['-t', 'arg(0, malloc)', '-t', 'calls:"a b"<é', '--min-size', '0', '--stack', '--link=split', '--sort=calls', '--recursion', '--compensate', '--panel', 'right', '--isolate'];
    const { options } = parseCommand(args, 'wasm-trace serve');
    const attributes = [
      'data-trace="arg(0, malloc) &#34;calls:\\&#34;a b\\&#34;&#60;&#233;&#34;"',
      'data-min-size="0" data-stack data-link="split" data-sort="calls" data-recursion data-compensate data-panel="right"',
      'data-served="/__wasm-trace/" data-on-trap="/__wasm-trace/trap"',
    ];
    assert.equal(scriptTag(options), `<script src="/__wasm-trace/wasm-trace.js" ${attributes.join(' ')}></script>`);
    const trace = ['arg(0, malloc)', 'calls:"a b"<é'];
    const own = { served: '/__wasm-trace/', onTrap: 'wasm-trace' };
    assert.deepEqual(workerOptions(options), { trace, minSize: 0, stack: true, link: 'split', sort: 'calls', recursion: true, compensate: true, ...own });
  });

  test('words that are put together come apart again', () => {
    const random = new Random(5);
    const CHARS = [...'ab (),"\'\\\t\n#*/é'];
    for (let i = 0; i < 5000; i++) {
      const words = random.list(1 + random.below(3), () => random.list(random.below(7), () => random.pick(CHARS)).join(''));
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
