// Runs the test suites, or those named: node tests/run.mjs [SUITE...]. Prints what each ended with, and the output of
// those that failed; the exit status is 1 when one did.
import { suites } from './suites.mjs';

function select(names) {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    console.error(`no suite named ${unknown.join(', ')}; there are ${suites.map((suite) => suite.name).join(', ')}`);
    process.exit(2);
  }
  return names.length > 0 ? suites.filter((suite) => names.includes(suite.name)) : suites;
}

function report({ name, run }) {
  console.log(`\n${name} ...`);
  const began = performance.now();
  const { passed, closing = [], skipped } = run();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  for (const line of closing) console.log(`  ${line}`);
  if (skipped) console.log(`  skipped: ${skipped}`);
  else console.log(`  ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
  return { name, failed: !skipped && !passed, skipped };
}

const results = select(process.argv.slice(2)).map(report);
const failed = results.filter((result) => result.failed).map((result) => result.name);
const skipped = results.filter((result) => result.skipped);
const passed = results.length - failed.length - skipped.length;
console.log(`\nsuites: ${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
