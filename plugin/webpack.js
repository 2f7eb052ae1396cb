// Webpack and Rspack: an entry that is part of every bundle and runs first; modules pass a loader of ours before webpack
// parses or hashes them.

import { fileURLToPath } from 'node:url';

import { startModule } from './page-script.js';
import { announcement, injects, pageQuestion } from './settings.js';

/** @typedef {import('./settings.js').Settings} Settings */

const LOADER = fileURLToPath(new URL('webpack-loader.js', import.meta.url));

/** @param {Settings} settings @returns {(compiler: any) => void} */
export function webpackPart(settings) {
  return (compiler) => {
    const { mode, module } = compiler.options;
    if (settings.instrument) {
      // As plain data, the question is part of what webpack's cache knows a module by.
      const use = [{ loader: LOADER, options: settings.question }];
      module.rules.unshift({ test: /\.wasm$/, enforce: 'pre', use });
    }
    if (!isForPages(compiler) || !injects(settings, mode === 'development')) return;
    addEntry(compiler, startModule(pageQuestion(settings, settings.instrument)));
    compiler.getInfrastructureLogger('wasm-trace').info(announcement(settings));
  };
}

/** @param {any} compiler */
function isForPages({ platform, options }) {
  return platform?.web ?? options.target !== 'node';
}

/** An entry without a name belongs to all. @param {any} compiler @param {string} code */
function addEntry(compiler, code) {
  const { EntryPlugin } = compiler.webpack;
  const request = `data:text/javascript,${encodeURIComponent(code)}`;
  new EntryPlugin(compiler.context, request, { name: undefined }).apply(compiler);
}
