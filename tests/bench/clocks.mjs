// What an event costs with each clock, in both link modes, beside the usual way: a call to JavaScript at each event.
import { newerEngine, newestEngine, thisNode } from '../engines.mjs';
import { assemble } from './assemble.mjs';
import { measure } from './child.mjs';
import { ns, printTable } from './table.mjs';

const KINDS = ['tree, no clock', 'tree, ticker', 'tree, instructions', 'tree, host', 'report, ticker', 'ring, ticker', 'stopped'];
const PEERS = ['empty JS', 'performance.now()'];
const TARGETS = { 'merged tree, ticker': '<= 4 ns', 'merged stopped': '<= 0.3 ns' };

const ENGINES = [() => thisNode, newerEngine, newestEngine];

/** @param {number} repeat rounds in each engine */
export function benchmarkClocks(repeat) {
  const files = ['fib', 'fib-import'].map(assemble);
  const engines = ENGINES.map((find) => find());
  const results = engines.map((engine) => measure(engine, 'clocks-child.mjs', [...files, String(repeat)]));
  const names = ['plain', ...PEERS, ...KINDS.flatMap((kind) => [`merged ${kind}`, `split ${kind}`])];
  const rows = names.map((name) => [name, ...results.map((result) => (name in result ? ns(result[name]) : '-')), TARGETS[name] ?? '']);
  printTable(`Time per event by clock, fib(24), fib alone subtracted: fastest of ${repeat} rounds`, ['', ...engines.map(({ name }) => name), 'target'], rows);
}
