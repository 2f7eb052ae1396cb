// What an event costs: enter and return of every call of fib(32), 14 million of them, in the engines at hand.
import { bun, newerEngine, newestEngine, thisNode } from '../engines.mjs';
import { assemble } from './assemble.mjs';
import { measure } from './child.mjs';
import { ns, printTable } from './table.mjs';

const COLUMNS = ['plain', 'import', 'merged log', 'merged tree', 'split log', 'split tree'];
const HEAD = ['engine', 'fib alone', 'call to empty JS', 'merged ring', 'merged tree', 'split ring', 'split tree'];
const TARGETS = ['target', '', '', '<= 2 ns', '<= 2 ns', '<= 4 ns', '<= 4 ns'];

const ENGINES = [() => thisNode, newerEngine, newestEngine, bun];

/** @param {number} repeat rounds in each engine */
export function benchmarkEvents(repeat) {
  const files = ['fib', 'fib-import'].map(assemble);
  const rows = ENGINES.map((find) => measureEngine(find(), files, repeat));
  printTable(`Time per event, fib(32), fib alone subtracted: fastest of ${repeat} rounds`, HEAD, [...rows, TARGETS]);
}

function measureEngine(engine, files, repeat) {
  const result = measure(engine, 'events-child.mjs', [...files, String(repeat)]);
  return [engine.name, ...COLUMNS.map((name) => (name in result ? ns(result[name]) : '-'))];
}
