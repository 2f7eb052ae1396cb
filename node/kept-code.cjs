'use strict';
// Loads the preload out of the code that the engine made of it in an earlier process: to make it again takes half of the time that tracing
// adds to the start of a small program. The code is kept beside the file that it is made of, so that nobody can change it who could not
// change that file; where nothing can be written, none is kept. An engine that finds the code to be another engine's makes its own, but
// does not look whether it is damaged, and dies of that: so it is kept twice, and compared. To load Node's zlib for a checksum takes 2 ms.

const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

/** Of the hash that the file begins with, behind a comment's slashes. */
const HASH = { start: 3, end: 19 };

/**
 * @param {string} file a CommonJS file, made by cmake/bundle-preload.mjs
 * @returns {{exports: any, keep(): void}} what it exports; to be called when that has been put to use, keeps the code when the program ends
 */
exports.loadKept = function loadKept(file) {
  const source = readFileSync(file, 'latin1');
  const kept = `${file}.${source.slice(HASH.start, HASH.end)}.${process.version}-${process.arch}`;
  const mayKeep = !process.env.NODE_DISABLE_COMPILE_CACHE; // as Node's own cache
  const cachedData = mayKeep ? attempt(() => readCode(kept)) : undefined;
  const script = new Script(`(function (module, require, __dirname) {${source}\n})`, { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module, require, dirname(file));
  const keep = () => {
    if (mayKeep && (!cachedData || script.cachedDataRejected)) process.on('exit', () => writeCode(script, kept));
  };
  return { exports: module.exports, keep };
};

/** @param {string} path @returns {Buffer | undefined} undefined: it is damaged */
function readCode(path) {
  const bytes = readFileSync(path);
  const half = bytes.length / 2;
  const code = bytes.subarray(0, half);
  return code.equals(bytes.subarray(half)) ? code : undefined;
}

/** Other processes find all of it or nothing. @param {Script} script @param {string} path */
function writeCode(script, path) {
  if (!require('node:worker_threads').isMainThread) return;
  const unfinished = `${path}.${process.pid}`;
  attempt(() => {
    const code = script.createCachedData();
    writeFileSync(unfinished, Buffer.concat([code, code]));
    renameSync(unfinished, path);
  });
  attempt(() => rmSync(unfinished, { force: true }));
}

/** @template T @param {() => T} act @returns {T | undefined} */
function attempt(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}
