// A page in Chromium that has the charts in it, from the sources as they are: for tests and benchmarks of charts alone.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { root } from '../command.mjs';

const CHROMIUM = process.env.WASM_TRACE_CHROMIUM ?? '/usr/bin/chromium';

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>charts</title>
<style>body { margin: 0; background: #fff; color: #222 } body.dark { background: #111; color: #eee }
#chart { width: 100vw; height: 100vh }</style><main id="chart"></main></html>`;

/** Why there can be no such page; null when there can. */
export const chartsSkipped = existsSync(CHROMIUM) ? null : `no Chromium at ${CHROMIUM}; WASM_TRACE_CHROMIUM may name one`;

/** @param {string} url @returns {Promise<{type: string, body: string | Buffer}>} */
async function answer(url) {
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname === '/') return { type: 'text/html', body: PAGE };
  const file = path.join(root, path.normalize(decodeURIComponent(pathname)));
  return { type: 'text/javascript', body: await readFile(file) };
}

async function startServer() {
  const server = createServer((request, response) => {
    answer(request.url).then(
      ({ type, body }) => response.setHeader('content-type', type).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * @param {{width: number, height: number}} viewport
 * @returns {Promise<{page: import('playwright-core').Page, errors: string[], close: () => Promise<void>}>} errors: of the page's scripts
 */
export async function openChartPage(viewport) {
  const { chromium } = await import('playwright-core');
  const server = await startServer();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], headless: true });
  const page = await browser.newPage({ viewport });
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.stack));
  const close = async () => {
    await browser.close();
    server.close();
  };
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  return { page, errors, close };
}
