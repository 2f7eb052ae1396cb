// All fuzzers, for some seconds together: node tests/fuzz/run.mjs [SECONDS]. The libFuzzer ones begin from seeds made of the
// other tests' inputs; what they find stays in build/fuzz/NAME, and a found input belongs into tests/regress.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assemble, bytesOf } from '../core/assemble.js';
import { readGolden } from '../core/golden-file.js';
import { smallModules } from '../core/modules.js';
import { newerEngine } from '../engines.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = path.join(root, 'build/fuzz');
const LINKS = [0, 32]; // merged, split: see fuzz_module.c

/** @param {string} folder */
const textFiles = (folder) => readdirSync(new URL(folder, import.meta.url)).filter((name) => name.endsWith('.txt')).map((name) => new URL(folder + name, import.meta.url));

function badModules() {
  return textFiles('../bad/').flatMap((file) => {
    const [before, ...cases] = readFileSync(file, 'utf8').split(/^-- .*$/m);
    return cases.map((text) => bytesOf(before + text.replace(/^=>.*$/m, '')));
  });
}

async function moduleSeeds() {
  const golden = await Promise.all(textFiles('../golden/').map((file) => assemble(readGolden(file).source)));
  const small = (await smallModules()).map(({ bytes }) => bytes);
  return [...small, ...golden, ...badModules()].flatMap((bytes) => LINKS.map((choice) => Buffer.from([choice, ...bytes])));
}

/** Probes as the golden files have them, and names to demangle. */
function probeSeeds() {
  const probes = textFiles('../golden/').flatMap((file) => readGolden(file).blocks.flatMap(({ options }) => options.trace ?? []));
  const names = ['_ZN3foo3barEv', '_RNvC7mycrate3foo', '_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE', '"f(int, char)"', '#1', '[a-z]*'];
  return [...new Set([...probes, ...names])].map((text) => Buffer.from(text));
}

/** @param {string} command @param {string[]} args @returns {boolean} */
function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** @param {string} name @param {Buffer[]} seeds @param {number} seconds */
function fuzz(name, seeds, seconds) {
  const folder = path.join(build, name);
  mkdirSync(path.join(folder, 'seeds'), { recursive: true });
  mkdirSync(path.join(folder, 'found'), { recursive: true });
  seeds.forEach((seed, i) => writeFileSync(path.join(folder, 'seeds', String(i)), seed));
  return run(path.join(build, `fuzz_${name}`), [
    `-max_total_time=${Math.ceil(seconds)}`, '-timeout=10', '-rss_limit_mb=2048', '-print_final_stats=1', '-verbosity=0',
    `-artifact_prefix=${folder}/`, path.join(folder, 'found'), path.join(folder, 'seeds'),
  ]);
}

/** A long run begins where the last one ended. */
const firstSeed = process.env.WASM_TRACE_FUZZ_SEED ?? '1';

/** @param {string} script @param {string} node @param {number} seconds */
const script = (script, node, seconds) => run(node, [path.join(root, 'tests/fuzz', script), String(seconds), firstSeed]);

function buildHarnesses() {
  const options = ['-DWT_FUZZ=ON', '-DWT_SANITIZE=ON', '-DWT_EMSCRIPTEN=OFF', '-DCMAKE_C_COMPILER=clang'];
  return (
    run('cmake', ['-G', 'Ninja', '-S', root, '-B', build, ...options]) &&
    run('cmake', ['--build', build, '--target', 'fuzz_module', 'fuzz_reader', 'fuzz_probe'])
  );
}

const [seconds = '40'] = process.argv.slice(2);
const share = Number(seconds) / 10;
const newer = newerEngine().node;
if (!buildHarnesses()) process.exit(1);
const modules = await moduleSeeds();
const results = [
  fuzz('module', modules, share),
  fuzz('reader', modules.map((bytes) => bytes.subarray(1)), share),
  fuzz('probe', probeSeeds(), share),
  script('traces.mjs', process.execPath, share),
  script('traces.mjs', newer, share),
  script('programs.mjs', process.execPath, share),
  script('programs.mjs', newer, 2 * share),
  script('counts.mjs', process.execPath, share),
  script('counts.mjs', newer, share),
];
process.exitCode = results.every(Boolean) ? 0 : 1;
