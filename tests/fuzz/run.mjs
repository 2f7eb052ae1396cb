// Runs each fuzzer for some seconds, from seeds made of the other tests' inputs: node tests/fuzz/run.mjs [SECONDS].
// What a fuzzer finds stays in build/fuzz/NAME; a found input belongs into tests/regress.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assemble, bytesOf } from '../core/assemble.js';
import { readGolden } from '../core/golden-file.js';
import { smallModules } from '../core/modules.js';

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

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

/** @param {string} name @param {Buffer[]} seeds @param {string} seconds */
function fuzz(name, seeds, seconds) {
  const folder = path.join(build, name);
  mkdirSync(path.join(folder, 'seeds'), { recursive: true });
  mkdirSync(path.join(folder, 'found'), { recursive: true });
  seeds.forEach((seed, i) => writeFileSync(path.join(folder, 'seeds', String(i)), seed));
  run(path.join(build, `fuzz_${name}`), [
    `-max_total_time=${seconds}`, '-timeout=10', '-rss_limit_mb=2048', '-print_final_stats=1', `-artifact_prefix=${folder}/`,
    path.join(folder, 'found'), path.join(folder, 'seeds'),
  ]);
}

const [seconds = '20'] = process.argv.slice(2);
run('cmake', ['-G', 'Ninja', '-S', root, '-B', build, '-DWT_FUZZ=ON', '-DWT_SANITIZE=ON', '-DWT_EMSCRIPTEN=OFF', '-DCMAKE_C_COMPILER=clang']);
run('cmake', ['--build', build, '--target', 'fuzz_module', 'fuzz_probe']);
fuzz('module', await moduleSeeds(), seconds);
fuzz('probe', probeSeeds(), seconds);
run(process.execPath, [path.join(root, 'tests/fuzz/random-programs.mjs'), seconds]);
