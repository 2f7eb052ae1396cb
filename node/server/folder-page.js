// What an address of a folder without index.html answers: the pages that are in there.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const DEPTH_MAX = 4;
const PAGES_MAX = 100;
const IGNORED = /^(?:\.|node_modules$)/;

/** @param {string} folder @returns {Promise<string>} HTML */
export async function renderFolderPage(folder) {
  const pages = await findPages(folder, [], DEPTH_MAX);
  const items = pages.slice(0, PAGES_MAX).map(itemOf);
  const list = items.length > 0 ? `<p>Pages in it:</p>\n<ul>\n${items.join('\n')}\n</ul>` : '<p>No page is in it.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>wasm-trace serve</title>
</head>
<body>
<h1>This folder has no index.html</h1>
${list}
</body>
</html>
`;
}

/** @param {readonly string[]} names of the folders down to a page, and its own */
function itemOf(names) {
  return `<li><a href="${names.map(encodeURIComponent).join('/')}">${escape(names.join('/'))}</a></li>`;
}

/** @param {string} folder @param {readonly string[]} names of the folders down to it @param {number} depth @returns {Promise<string[][]>} */
async function findPages(folder, names, depth) {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(() => [])).filter(({ name }) => !IGNORED.test(name));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const pages = entries.filter((entry) => entry.isFile() && /\.html?$/i.test(entry.name)).map(({ name }) => [...names, name]);
  for (const entry of entries)
    if (entry.isDirectory() && depth > 0 && pages.length < PAGES_MAX)
      pages.push(...(await findPages(join(folder, entry.name), [...names, entry.name], depth - 1)));
  return pages;
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[&<>"]/g, (char) => `&#${char.codePointAt(0)};`);
}
