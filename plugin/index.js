// wasm-trace in bundlers. While developing, pages get the page script in front; a build is left alone unless it is asked
// for. WASM_TRACE=0 makes it do nothing at all.

import { createUnplugin } from 'unplugin';

import { esbuildSetup } from './esbuild.js';
import { rollupHooks } from './rollup.js';
import { readSettings } from './settings.js';
import { viteHooks } from './vite.js';
import { webpackPart } from './webpack.js';

/** @typedef {import('./settings.js').PluginOptions} PluginOptions */

const NAME = 'wasm-trace';

/** @type {import('unplugin').UnpluginFactory<PluginOptions | undefined, false>} */
const makePlugin = (options = {}) => {
  const settings = readSettings(options, process.env.WASM_TRACE);
  if (settings === null) return { name: NAME };
  return {
    name: NAME,
    enforce: 'pre',
    vite: viteHooks(settings),
    rollup: rollupHooks(settings),
    rolldown: rollupHooks(settings),
    webpack: webpackPart(settings),
    rspack: webpackPart(settings),
    esbuild: { setup: esbuildSetup(settings) },
  };
};

/** By bundler: wasmTrace.vite(options), .webpack, .rollup, .rolldown, .esbuild, .rspack. */
export default createUnplugin(makePlugin);
