// Runs the daily test suites, all of them, or those named: node tests/run.mjs [--full | SUITE...]. Prints a line for each,
// and before it the output of one that failed; the exit status is 1 when one did.
import { suites } from './suites.mjs';

const WIDTH = Math.max(...suites.map(({ name }) => name.length));

/** @param {string[]} args */
function select(args) {
  if (args.length === 0) return suites.filter(({ daily = true }) => daily);
  if (args.join() === '--full') return suites;
  const unknown = args.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    console.error(`no suite named ${unknown.join(', ')}; there are ${suites.map((suite) => suite.name).join(', ')}`);
    process.exit(2);
  }
  return suites.filter((suite) => args.includes(suite.name));
}

/** @param {import('./suites.mjs').Suite} suite */
function report({ name, run }) {
  process.stdout.write(`${name.padEnd(WIDTH)}  `);
  const began = performance.now();
  const { passed = false, closing = [], skipped } = run();
  const seconds = Math.round((performance.now() - began) / 1000);
  if (skipped) console.log(`skipped: ${skipped}`);
  else console.log([passed ? 'passed' : 'FAILED', `${String(seconds).padStart(4)} s`, closing.join('; ')].join('  '));
  return { name, failed: !skipped && !passed, skipped };
}

const results = select(process.argv.slice(2)).map(report);
const failed = results.filter((result) => result.failed).map((result) => result.name);
const skipped = results.filter((result) => result.skipped);
const passed = results.length - failed.length - skipped.length;
console.log(`\nsuites: ${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
