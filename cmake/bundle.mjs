// Makes the scripts for pages by esbuild, into build/web:
//
//   wasm-trace.js          the page script: classic, one function around everything, which can pass its own text on to workers
//   wasm-trace.mjs         the same as a module
//   wasm-trace-panel.js    the panel; the page script loads it where one is wanted
//   wasm-trace-report.js   what a saved HTML report runs
//
//   bundle.mjs VERSION OUT_FOLDER DEPFILE INSTRUMENTER.wasm RUNTIME.wasm
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { writeDepfile } from './depfile.mjs';
import { encodePage } from './page-text.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [version, out, depfile, ...artifacts] = process.argv.slice(2);
const license = `/*! wasm-trace ${version}, MIT license */\n`;

const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  charset: 'ascii',
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  write: false,
};

/** web/loader/page-module.js tells what importers of the module build get. */
const MODULE_END = `const wasmTrace = wasmTraceStart({role:"module",script:import.meta.url});
export default wasmTrace;
export const install = (options) => wasmTrace.install(options);
export const version = wasmTrace.version;
`;

/** The two wasm files for web/loader/artifacts.js. */
function writeArtifacts() {
  const files = artifacts.map((file) => readFileSync(file));
  const { pages, texts } = encodePage(files);
  const row = (name, i) => `export const ${name} = { size: ${files[i].length}, text: '${texts[i]}' };\n`;
  const lines = ['// Made by cmake/bundle.mjs; not kept in the repository.\n', `export const pages = ${JSON.stringify(pages)};\n`];
  lines.push(row('instrumenterText', 0), row('runtimeText', 1));
  mkdirSync(path.join(root, 'build/generated'), { recursive: true });
  writeFileSync(path.join(root, 'build/generated/page-artifacts.js'), lines.join(''));
}

/** esbuild plugin: the page script has its wasm files in a form of its own, and nothing of Node. */
const pageModules = {
  name: 'page-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(artifacts|ticker-worker)\.js$/ }, (found) => ({ path: path.join(root, 'web/loader', found.path) }));
  },
};

/** @returns {Promise<{text: string, inputs: string[]}>} */
async function bundle(entry, options = {}) {
  const result = await build({ ...OPTIONS, entryPoints: [entry], ...options });
  return { text: result.outputFiles[0].text.trim(), inputs: Object.keys(result.metafile.inputs) };
}

/** @returns {Promise<string[]>} files that were read */
async function writePageScript() {
  const define = { wasmTraceVersion: JSON.stringify(version) };
  const { text, inputs } = await bundle('web/loader/main.js', { define, globalName: 'wasmTraceMain', plugins: [pageModules] });
  const start = onOneLine(`function wasmTraceStart(wasmTraceLaunch){${text}return wasmTraceMain.start()}`);
  write('wasm-trace.js', `${license}(${start})({role:"page"});\n`);
  write('wasm-trace.mjs', `${license}${start}\n${MODULE_END}`);
  return inputs;
}

/** So that lines of a script that it is put in front of keep their numbers. Minified, it has line ends in template literals only. @param {string} text */
function onOneLine(text) {
  const line = text.replaceAll('\n', '\\n');
  new Script(`(${line})`);
  return line;
}

/** @param {string} entry @param {string} file @returns {Promise<string[]>} */
async function writeScript(entry, file) {
  const { text, inputs } = await bundle(entry);
  write(file, `${license}${text}\n`);
  return inputs;
}

/** @param {string} file @param {string} text */
function write(file, text) {
  writeFileSync(path.join(out, file), text);
}

mkdirSync(out, { recursive: true });
writeArtifacts();
const inputs = [
  ...(await writePageScript()),
  ...(await writeScript('web/panel/panel.js', 'wasm-trace-panel.js')),
  ...(await writeScript('web/report/report.js', 'wasm-trace-report.js')),
];
// What the page script is made of, for Ninja; what this script itself has made is no input.
const read = [...new Set(inputs)].filter((file) => !file.startsWith('build/'));
writeDepfile(depfile, path.join(out, 'wasm-trace.js'), read);
