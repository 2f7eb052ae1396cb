// The system packages that the build and the tests need, on Debian and Ubuntu by apt-get, elsewhere by telling what is
// missing. Never changes which `node` the user runs: emscripten depends on the package nodejs, which has /usr/bin/node.
// Browsers are large and cannot be had everywhere: only the tests ask for them, and skip what needs one that is missing.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { findBrowser } from './find-browser.mjs';
import { build, once, outputOf, SetupError, step, which } from './steps.mjs';

const wasiSdk = () => Boolean(process.env.WASI_SDK_PATH);

/** Whether the file that clang names in answer to `args` exists; it gives a bare name back when it found none. */
function clangHas(...args) {
  const file = outputOf('clang', args);
  return file !== null && path.isAbsolute(file) && existsSync(file);
}

const ARCHITECTURE = { x64: 'x86_64', arm64: 'aarch64' }[process.arch] ?? process.arch;

/** One row per package: what it brings, and how to see that it is there, whoever installed it. */
const PACKAGES = [
  { name: 'cmake', brings: 'CMake', present: () => which('cmake') },
  { name: 'ninja-build', brings: 'Ninja', present: () => which('ninja') },
  { name: 'clang', brings: 'clang', present: () => which('clang') },
  { name: 'lld', brings: 'wasm-ld', present: () => wasiSdk() || which('wasm-ld') },
  {
    name: 'libclang-rt-dev',
    brings: "clang's sanitizers",
    present: () => clangHas(`-print-file-name=libclang_rt.asan-${ARCHITECTURE}.a`),
  },
  {
    name: 'libclang-rt-dev-wasm32',
    brings: 'compiler-rt for wasm32',
    present: () => wasiSdk() || clangHas('--target=wasm32-wasi', '-print-libgcc-file-name'),
  },
  {
    name: 'wasi-libc',
    brings: 'wasi-libc',
    present: () => wasiSdk() || existsSync('/usr/include/wasm32-wasi/stdio.h'),
  },
  { name: 'emscripten', brings: 'Emscripten', present: () => which('emcc') },
  { name: 'zlib1g-dev', brings: 'zlib', present: () => existsSync('/usr/include/zlib.h') },
  { name: 'wabt', brings: 'wabt', present: () => which('wat2wasm') },
];

/** As PACKAGES, wanted by the tests in browsers. */
const BROWSER_PACKAGES = [
  { name: 'chromium', brings: 'Chromium', present: () => findBrowser('chromium') },
  { name: 'firefox-esr', brings: 'Firefox', present: () => findBrowser('firefox') },
  { name: 'fonts-dejavu-core', brings: 'a font for them', present: () => existsSync('/usr/share/fonts/truetype') },
];

const APT_OPTIONS = ['-y', '--no-install-recommends'];

/** Installs what is missing, or stops with the command that would. */
export function installSystemPackages() {
  const names = PACKAGES.map((row) => row.name);
  once(path.join(build, '.system-packages'), [names, process.env.WASI_SDK_PATH], () => {
    const missing = PACKAGES.filter((row) => !row.present());
    if (missing.length > 0) install(missing);
  });
}

/** Installs browsers, once and as far as that works: each by itself, since a distribution may have one and not the other. */
export function installBrowsers() {
  const names = BROWSER_PACKAGES.map((row) => row.name);
  once(path.join(build, '.browser-packages'), names, () => {
    for (const row of BROWSER_PACKAGES) if (!row.present()) installOrTell(row);
  });
}

function installOrTell(row) {
  try {
    install([row]);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`${error.message}\n\nThe tests go on without ${row.brings}.`);
  }
}

function install(missing) {
  if (!which('apt-get')) {
    throw new SetupError(`Please install: ${missing.map((row) => row.brings).join(', ')}`);
  }
  const names = missing.map((row) => row.name);
  const prefix = privileges();
  if (!prefix) {
    throw new SetupError(
      'These system packages are missing, and this user may not install them. Please run:\n\n' +
        `  sudo apt-get update && sudo apt-get install ${APT_OPTIONS.join(' ')} ${names.join(' ')}\n`,
    );
  }
  apt(prefix, 'Reading the lists of system packages', ['update', '-q']);
  keepTheUsersNode(names);
  apt(prefix, `Installing system packages: ${names.join(' ')}`, ['install', '-q', ...APT_OPTIONS, ...names]);
}

function apt(prefix, title, args) {
  const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
  step(title, command, rest);
}

/** What to put before a command to run it as root: nothing, sudo, or null when neither is possible without asking. */
function privileges() {
  if (process.getuid?.() === 0) return [];
  return which('sudo') && outputOf('sudo', ['-n', 'true']) !== null ? ['sudo', '-n'] : null;
}

/** Stops before apt-get would bring a /usr/bin/node that hides or replaces the user's own. */
function keepTheUsersNode(names) {
  const plan = outputOf('apt-get', ['install', '-s', ...APT_OPTIONS, ...names]) ?? '';
  if (!/^Inst nodejs /m.test(plan) || ownNodeComesFirst()) return;
  throw new SetupError(
    `apt-get would install its own Node as /usr/bin/node, in place of ${which('node') ?? process.execPath}.\n` +
      'Put the folder of your Node before /usr/bin in PATH, then run this again.',
  );
}

function ownNodeComesFirst() {
  const node = which('node');
  if (!node) return false;
  const folders = (process.env.PATH ?? '').split(path.delimiter).map(realOrSame);
  const system = folders.indexOf('/usr/bin');
  const own = folders.indexOf(realOrSame(path.dirname(node)));
  return system < 0 || own < system;
}

function realOrSame(folder) {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
