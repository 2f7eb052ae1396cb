// Webpack and Rspack: every entry begins with the page script; modules pass a loader of ours before webpack parses or hashes
// them.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { PAGE_MODULE, REPORT_SCRIPT, hasPanel, readPageFile, startModule } from './page-script.js';
import { announcement, injects, pageQuestion } from './settings.js';

/** @typedef {import('./settings.js').Settings} Settings */

const NAME = 'wasm-trace';

const MODULE_LOADER = fileURLToPath(new URL('webpack-loader.js', import.meta.url));
const PAGE_LOADER = fileURLToPath(new URL('webpack-page-loader.js', import.meta.url));

/** @param {Settings} settings @returns {(compiler: any) => void} */
export function webpackPart(settings) {
  return (compiler) => {
    const { mode, module } = compiler.options;
    if (settings.instrument) {
      // As plain data, the question is part of what webpack's cache knows a module by.
      const use = [{ loader: MODULE_LOADER, options: settings.question }];
      module.rules.unshift({ test: /\.wasm$/, enforce: 'pre', use });
    }
    if (!isForPages(compiler) || !injects(settings, mode === 'development')) return;
    const question = pageQuestion(settings, settings.instrument);
    module.rules.push({ test: (/** @type {string} */ file) => file === PAGE_MODULE, loader: PAGE_LOADER });
    prependToEntries(compiler.options, startModule(question));
    if (hasPanel(question)) emitReportScript(compiler);
    compiler.getInfrastructureLogger(NAME).info(announcement(settings));
  };
}

/** @param {any} compiler */
function isForPages({ platform, options }) {
  return platform?.web ?? options.target !== 'node';
}

/**
 * Not by an entry for all, which Rspack gives to workers too.
 * @param {any} options @param {string} code
 */
function prependToEntries(options, code) {
  const request = `data:text/javascript,${encodeURIComponent(code)}`;
  const { entry } = options;
  const prepend = (/** @type {Record<string, {import?: string[]}>} */ entries) => {
    for (const one of Object.values(entries)) one.import = [request, ...(one.import ?? [])];
    return entries;
  };
  if (typeof entry === 'function') options.entry = async () => prepend(await entry());
  else prepend(entry);
}

/** The panel looks for it beside the script that it is part of. @param {any} compiler */
function emitReportScript({ options, hooks, webpack: { Compilation, sources } }) {
  const { filename } = options.output;
  const folder = typeof filename === 'string' ? path.posix.dirname(filename) : '.';
  hooks.thisCompilation.tap(NAME, (/** @type {any} */ compilation) => {
    const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
    compilation.hooks.processAssets.tap({ name: NAME, stage }, () => {
      const source = new sources.RawSource(readPageFile(REPORT_SCRIPT));
      compilation.emitAsset(path.posix.join(folder, REPORT_SCRIPT), source, { minimized: true });
    });
  });
}
