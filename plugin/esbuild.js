// esbuild: the page script as an injected file of every entry, and modules rewritten as they are loaded.

import path from 'node:path';

import { rewriteFile } from './modules.js';
import { PAGE_MODULE, VIRTUAL_MODULE, pageModule, startModule } from './page-script.js';
import { announcement, injects, pageQuestion } from './settings.js';

/** @typedef {import('./settings.js').Settings} Settings */

const NAMESPACE = 'wasm-trace';

/** @param {Settings} settings @returns {(build: any) => void} */
export function esbuildSetup(settings) {
  return (build) => {
    if (settings.instrument) rewriteModules(build, settings);
    // It does not tell whether it builds for developing.
    if (build.initialOptions.platform === 'node' || !injects(settings, false)) return;
    injectModule(build, startModule(pageQuestion(settings, settings.instrument)));
    console.error(`wasm-trace: ${announcement(settings)}`);
  };
}

/** @param {any} build @param {Settings} settings */
function rewriteModules(build, { question }) {
  build.onLoad({ filter: /\.wasm$/ }, (/** @type {{path: string}} */ { path: file }) => {
    const { bytes, warnings } = rewriteFile(file, question);
    return { contents: bytes, loader: 'default', watchFiles: [file], warnings: warnings.map((text) => ({ text })) };
  });
}

/** @param {any} build @param {string} contents */
function injectModule({ initialOptions, onResolve, onLoad }, contents) {
  const { target, keepNames = false, supported } = initialOptions;
  const rewrites = target !== undefined || supported !== undefined || keepNames;
  initialOptions.inject = [VIRTUAL_MODULE, ...(initialOptions.inject ?? [])];
  onResolve({ filter: exactly(VIRTUAL_MODULE) }, () => ({ path: VIRTUAL_MODULE, namespace: NAMESPACE }));
  onLoad({ filter: /^/, namespace: NAMESPACE }, () => ({ contents, loader: 'js', resolveDir: path.resolve('.') }));
  onLoad({ filter: exactly(PAGE_MODULE) }, () => ({ contents: pageModule(rewrites), loader: 'js' }));
}

/** @param {string} text */
function exactly(text) {
  return new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);
}
