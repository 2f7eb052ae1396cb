// A page that has the charts in it, from the sources as they are: for tests and benchmarks of charts alone. In Chromium, whose
// pictures and touches can be asked for.
import path from 'node:path';
import { findBrowser } from '../../cmake/find-browser.mjs';
import { root } from '../command.mjs';
import { launch } from './browsers.js';
import { serve } from './server.js';

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>charts</title>
<style>body { margin: 0; background: #fff; color: #222 } body.dark { background: #111; color: #eee }
#chart { width: 100vw; height: 100vh }</style><main id="chart"></main></html>`;

const FOLDERS = Object.fromEntries(['js', 'web', 'tests'].map((name) => [`/${name}/`, path.join(root, name)]));

/** Why there can be no such page; false when there can. */
export const chartsSkipped = findBrowser('chromium') ? false : 'no chromium';

/**
 * @param {{width: number, height: number}} viewport
 * @returns {Promise<{page: any, errors: string[], close: () => Promise<void>}>} errors: of the page's scripts
 */
export async function openChartPage(viewport) {
  const server = await serve({
    files: { '/': { body: PAGE, headers: { 'Content-Type': 'text/html; charset=utf-8' } }, '/favicon.ico': '' },
    folders: FOLDERS,
  });
  const browser = await launch('chromium');
  const page = await browser.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (/** @type {Error} */ error) => errors.push(String(error.stack)));
  const close = async () => {
    await browser.close();
    await server.close();
  };
  await page.setViewportSize(viewport);
  await page.goto(`${server.origin}/`);
  return { page, errors, close };
}
