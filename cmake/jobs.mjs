// The jobs behind the npm scripts; each returns an exit status.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { demo } from './demo.mjs';
import { build, once, outputOf, root, run, step, which } from './steps.mjs';
import { installBrowsers, installSystemPackages } from './system-packages.mjs';

const modules = path.join(root, 'node_modules');
const node = process.execPath;

function installNpmPackages() {
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  once(path.join(modules, '.installed'), lock, () => {
    npm('Installing npm packages', ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']);
  });
}

/** Runs the npm that started us, or the one in PATH. */
function npm(title, args) {
  const started = process.env.npm_execpath;
  if (started) step(title, node, [started, ...args]);
  else step(title, 'npm', args);
}

/** Configures once; from then on the build itself notices changed CMake files. */
function compile() {
  const compiler = process.env.CC ?? 'clang';
  const wasiSdk = process.env.WASI_SDK_PATH ?? '';
  once(path.join(build, '.configured'), [root, compiler, wasiSdk], () => {
    const settings = [`-DCMAKE_C_COMPILER=${compiler}`, `-DWASI_SDK_PATH=${wasiSdk}`];
    step('Configuring', 'cmake', ['-G', 'Ninja', '-S', root, '-B', build, ...settings]);
  });
  if (outputOf('ninja', ['-C', build, '-n'])?.endsWith('ninja: no work to do.')) return;
  // Two builds at once, say of npm start and npm test, would read each other's half-written files.
  const [command, ...args] = [...(which('flock') ? ['flock', build] : []), 'cmake', '--build', build];
  step('Building', command, args);
}

function emitTypes() {
  step('Writing type declarations', node, [path.join(modules, 'typescript/bin/tsc'), '--project', root]);
}

function setUp() {
  installSystemPackages();
  installNpmPackages();
  compile();
}

function buildAll() {
  setUp();
  emitTypes();
  return 0;
}

/** Types and format; the tests are `npm test`. */
function check() {
  setUp();
  const types = run(node, [path.join(modules, 'typescript/bin/tsc'), '--project', root, '--noEmit']);
  return types || clangFormat('--dry-run', '--Werror');
}

function clangFormat(...options) {
  return run(node, [path.join(modules, 'clang-format/index.js'), ...options, ...sourcesInC()]);
}

function sourcesInC() {
  const folders = ['guest-runtime', 'instrumenter', 'tests'];
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((file) => /\.[ch]$/.test(file))
      .map((file) => path.join(folder, file)),
  );
}

/** A job that sets up and then runs a script of the repository. */
const script = (file) => (args) => {
  setUp();
  return run(node, [path.join(root, file), ...args]);
};

const tests = script('tests/run.mjs');

export const jobs = {
  demo: () => {
    setUp();
    return demo();
  },
  test: (args) => {
    installBrowsers();
    return tests(args);
  },
  bench: script('tests/bench/run.mjs'),
  build: buildAll,
  pack: buildAll,
  check,
  format: () => {
    setUp();
    return clangFormat('-i');
  },
};
