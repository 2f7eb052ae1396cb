// Broken modules: those of modules.js cut off at every byte, with every bit flipped, every byte made one more or one less, and
// every byte left out. None crashes the instrumenter or keeps it from ending, none that is invalid becomes valid, and none that
// is still valid becomes invalid or is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isValid } from './judge.js';
import { smallModules } from './modules.js';
import { transformAll } from './native.js';

/** A plan for each link mode; between them they insert most of what can be inserted. */
const PLANS = [
  { link: 'split', trace: 'calls', minSize: '0', display: 'nested', legacyExceptions: '1' },
  { link: 'merged', trace: 'args(*)', display: 'tree' },
];

/** @typedef {{what: string, bytes: Uint8Array}} Mutant */

/** @param {Uint8Array} bytes @param {number} at @param {number} value */
function withByte(bytes, at, value) {
  const copy = bytes.slice();
  copy[at] = value;
  return { what: `byte ${at} is 0x${(value & 0xff).toString(16)}`, bytes: copy };
}

/** @param {Uint8Array} bytes @param {number} at @returns {Mutant[]} */
function mutantsAt(bytes, at) {
  const flips = Array.from({ length: 8 }, (_, bit) => bytes[at] ^ (1 << bit));
  const values = new Set([...flips, (bytes[at] + 1) & 0xff, (bytes[at] - 1) & 0xff]);
  return [
    { what: `cut off at ${at}`, bytes: bytes.slice(0, at) },
    { what: `without byte ${at}`, bytes: Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1)]) },
    ...[...values].map((value) => withByte(bytes, at, value)),
  ];
}

/** @param {string} name @param {Mutant[]} mutants @param {import('../../js/index.js').InstrumentOptions} options */
function holdAgainstEngine(name, mutants, options) {
  const valid = mutants.map(({ bytes }) => isValid(bytes));
  const results = transformAll(mutants.map(({ bytes }) => bytes), options);
  results.forEach((result, i) => {
    const problem = fault(valid[i], result, String(options.link));
    assert.equal(problem, null, `${name}, ${mutants[i].what}, ${JSON.stringify(options)}`);
  });
}

for (const { name, bytes } of await smallModules()) {
  test(`mutations of ${name}`, () => {
    const mutants = Array.from(bytes, (_, at) => mutantsAt(bytes, at)).flat();
    for (const plan of PLANS) holdAgainstEngine(name, mutants, plan);
  });
}
