// Tables of weights: how they are read, and what is wrong with one is told with its line.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { assemble } from './assemble.js';
import { opcodeNames } from './disassembler.js';
import { exportCount } from './counting.js';
import { STATUS, transformAll } from './native.js';
import { links, runModule } from './run-module.js';

const bytes = await assemble(`(module (func (export "a") (result i32)
  (nop) (if (i32.eqz (i32.const 0)) (then (nop))) (i32.div_s (i32.const 8) (select (i32.const 2) (i32.const 4) (i32.const 1)))))`);

/** @param {string} weights */
const transform = (weights) => transformAll([bytes], { trace: 'memory.grow', display: 'histogram', clock: 'instructions', link: links[0], weights })[0];

/** @param {string} weights @returns {number} what the call of "a" costs */
function cost(weights) {
  const { bytes: output, message } = transform(weights);
  assert.ok(output, message);
  let count = -1;
  runModule(exportCount(output), ['a()'], { traced: true, watch: (exports) => (count = Number(exports.count.value)) });
  return count;
}

/** @type {[what: string, table: string, cost: number][]} */
const TABLES = [
  ['no line', '', 11],
  ['a default', 'default 5', 55],
  ['one instruction', 'i32.div_s 10', 20],
  ['the later line wins', 'nop 7\nnop 3\n', 15],
  ['a later default wins too', 'nop 7\ndefault 2', 22],
  ['all instructions of a name', 'default 0\nselect 9', 9],
  ['comments, empty lines and spaces', '\n# nop 100\n \t nop  2\t# two\r\n\r\nname Some table, 2026\n', 13],
  ['the largest weight', 'default 0\nnop 4294967295', 2 * 4294967295],
  ['names with a space', 'ref.cast null 5', 11],
  ['what only delimits may weigh nothing', 'end 0\nelse 0', 11],
];

for (const [what, table, expected] of TABLES) test(`a table with ${what}`, () => assert.equal(cost(table), expected));

/** @type {[table: string, message: string][]} */
const MISTAKES = [
  ['nop 1\n\ni32.ad 3', 'weights, line 3: no instruction has this name: "i32.ad"'],
  ['nop x', 'weights, line 1: a weight is a number: "x"'],
  ['nop -1', 'weights, line 1: a weight is a number: "-1"'],
  ['nop 1.5', 'weights, line 1: a weight is a number: "1.5"'],
  ['# nothing\nnop 4294967296', 'weights, line 2: a weight is at most 4294967295: "4294967296"'],
  ['nop 99999999999999999999999999', 'weights, line 1: a weight is at most 4294967295: "99999999999999999999999999"'],
  ['nop', 'weights, line 1: a line is the name of an instruction and its weight: "nop"'],
  ['end 1', 'weights, line 1: this only delimits and has no weight: "end"'],
  [`${'x'.repeat(100)} 1`, `weights, line 1: no instruction has this name: "${'x'.repeat(60)}"`],
];

for (const [table, message] of MISTAKES)
  test(message, () => {
    const { status, message: told } = transform(table);
    assert.deepEqual({ status, told }, { status: STATUS.PROBE, told: message });
  });

test('every instruction can be weighed', () => {
  const table = [...opcodeNames.values()].map((name) => `${name} 0`).join('\n');
  assert.equal(cost(table), 0);
});

const folder = new URL('../../weights/', import.meta.url);
for (const file of readdirSync(folder))
  test(`weights/${file} is a table, with and without what it has as comments`, () => {
    const table = readFileSync(new URL(file, folder), 'utf8');
    assert.match(table, /^name \S.*\d{4}-\d\d-\d\d$/m, 'it has no name with a date');
    assert.equal(cost(table), 11 + 1 + 9); // `if` and the division weigh more
    const lines = table.split('\n').filter((line) => line && !/^(#|name )/.test(line)).map((line) => line.split(' ')[0]);
    assert.equal(new Set(lines).size, lines.length, 'a line is there twice');
    assert.equal(transform(table.replace(/^# (\S+ 2)$/gm, '$1')).message, '');
  });
