// Writes the sources that are made rather than kept:
//
//   generate.mjs layout OUT_FOLDER ABI.h RECORDS.def       the runtime's constants and layout, for the JS readers: a module each
//   generate.mjs artifacts OUT.js INSTRUMENTER.wasm RUNTIME.wasm HEAP_RUNTIME.wasm     the wasm files as base64
//   generate.mjs embed OUT.c RUNTIME.wasm HEAP_RUNTIME.wasm          both runtimes as C arrays, for the native command
//   generate.mjs tables OUT.c TABLE.txt...                 tables of weights as C arrays, for the native command
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const SIZES = { uint32_t: 4, uint64_t: 8 };

/** `#define WTR_NAME 12u` lines; those that compute are left out: the readers need none of them. */
function parseDefines(header) {
  const rows = header.matchAll(/^#define WTR_(\w+) (0x[0-9a-f]+|\d+)u?(?=\s|$)/gm);
  return [...rows].map(([, name, value]) => [name, value]);
}

function parseRecords(table) {
  return [...table.matchAll(/^WTR_RECORD\((\w+), (\d+)\)/gm)].map(([, name, number]) => [name, number]);
}

/** Offsets of the fields of a struct of 32- and 64-bit integers, laid out as C does; `bytes` is its size. */
function parseStruct(header, name) {
  const body = new RegExp(`typedef struct ${name} \\{([^}]*)\\}`).exec(header)?.[1];
  if (body === undefined) throw new Error(`no struct ${name}`);
  const fields = [];
  let offset = 0;
  for (const [, type, field] of body.matchAll(/^\s*(\w+) (\w+);/gm)) {
    const size = SIZES[type];
    if (size === undefined) throw new Error(`struct ${name}: no size known for ${type}`);
    offset = Math.ceil(offset / size) * size;
    fields.push([field, offset]);
    offset += size;
  }
  return [...fields, ['bytes', Math.ceil(offset / 8) * 8]];
}

/** Importers take the whole module by one name, `import * as STATE`: esbuild puts the numbers in the place of their names. */
function constants(comment, rows) {
  const lines = rows.map(([name, value]) => `export const ${name} = ${value};\n`).join('');
  return `// ${comment} Made by cmake/generate.mjs from guest-runtime/include; not kept in the repository.\n\n${lines}`;
}

function layout(abiPath, recordsPath) {
  const abi = readFileSync(abiPath, 'utf8');
  return {
    'record.js': constants('Kinds of records.', parseRecords(readFileSync(recordsPath, 'utf8'))),
    'abi.js': constants('The numbers that wtr_abi.h defines, without WTR_.', parseDefines(abi)),
    'state.js': constants('Byte offsets in wtr_state, which stands at ABI.STATE_ADDRESS.', parseStruct(abi, 'wtr_state')),
    'node.js': constants('Byte offsets in wtr_node.', parseStruct(abi, 'wtr_node')),
    'span.js': constants('Byte offsets in wtr_span.', parseStruct(abi, 'wtr_span')),
  };
}

function artifacts(instrumenterPath, runtimePath, heapRuntimePath) {
  const row = (name, path) => `export const ${name} = '${readFileSync(path).toString('base64')}';\n`;
  return (
    '// Made by cmake/generate.mjs from the wasm files; not kept in the repository.\n' +
    row('instrumenterBase64', instrumenterPath) +
    row('runtimeBase64', runtimePath) +
    row('heapRuntimeBase64', heapRuntimePath)
  );
}

function arrayOf(path) {
  const bytes = readFileSync(path);
  const lines = [];
  for (let at = 0; at < bytes.length; at += 32) lines.push(`  ${bytes.subarray(at, at + 32).join(',')},\n`);
  return `{\n${lines.join('')}}`;
}

function cArray(name, path) {
  return (
    `extern const uint8_t ${name}[];\nextern const size_t ${name}_size;\n\n` +
    `const uint8_t ${name}[] = ${arrayOf(path)};\n` +
    `const size_t ${name}_size = sizeof ${name};\n`
  );
}

function embed(runtimePath, heapRuntimePath) {
  return (
    '/* Made by cmake/generate.mjs from the two builds of the guest runtime. */\n' +
    '#include <stddef.h>\n#include <stdint.h>\n\n' +
    cArray('wt_guest_runtime', runtimePath) +
    cArray('wt_heap_runtime', heapRuntimePath)
  );
}

function tables(...paths) {
  const arrays = paths.map((path, i) => `static const unsigned char table${i}[] = ${arrayOf(path)};\n\n`);
  const rows = paths.map((path, i) => `  {"${basename(path, '.txt')}", table${i}, sizeof table${i}},\n`);
  return (
    '/* Made by cmake/generate.mjs from weights. */\n' +
    `#include "weight_tables.h"\n\n${arrays.join('')}` +
    `const cli_weight_table cli_weight_tables[] = {\n${rows.join('')}};\n` +
    'const size_t cli_weight_table_count = sizeof cli_weight_tables / sizeof cli_weight_tables[0];\n'
  );
}

const writers = { layout, artifacts, embed, tables };
const [kind, output, ...inputs] = process.argv.slice(2);
const made = writers[kind](...inputs);
if (typeof made === 'string') writeFileSync(output, made);
else for (const [file, text] of Object.entries(made)) writeFileSync(join(output, file), text);
