'use strict';
// Loads the preload out of the code that the engine made of it in an earlier process: to make it again takes half of the time that tracing
// adds to the start of a small program. The code is kept beside the file that it is made of, so that nobody can change it who could not
// change that file; where nothing can be written, none is kept. An engine that finds the code to be another engine's makes its own.

const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

/** Of the hash that the file begins with, behind a comment's slashes. */
const HASH = { start: 3, end: 19 };

/** @param {string} file a CommonJS file, made by cmake/bundle-preload.mjs @returns {any} what it exports */
exports.loadKept = function loadKept(file) {
  const source = readFileSync(file, 'latin1');
  const kept = `${file}.${source.slice(HASH.start, HASH.end)}.${process.version}-${process.arch}`;
  const cachedData = attempt(() => readFileSync(kept));
  const script = new Script(`(function (module, require, __dirname) {${source}\n})`, { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module, require, dirname(file));
  // Not before the preload has written its report: then the code of that is made, too.
  if (!cachedData || script.cachedDataRejected) queueMicrotask(() => process.on('exit', () => keep(script, kept)));
  return module.exports;
};

/** Other processes find all of it or nothing. @param {Script} script @param {string} path */
function keep(script, path) {
  if (!require('node:worker_threads').isMainThread) return;
  const unfinished = `${path}.${process.pid}`;
  attempt(() => {
    writeFileSync(unfinished, script.createCachedData());
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
