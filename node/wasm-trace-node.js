#!/usr/bin/env node
// The command wasm-trace-node: reads the command line and runs the program traced.

import { readFileSync } from 'node:fs';

import { runTraced } from './commands/run.js';
import { FileError } from './files.js';
import { helpText, usageText } from './help.js';
import { parseCommand, UsageError } from './options.js';

const ended = await main(process.argv.slice(2));
if (typeof ended === 'string') process.kill(process.pid, ended);
else process.exitCode = ended;

/** @param {string[]} argv @returns {Promise<number | NodeJS.Signals>} exit status, or the signal that ended the program */
async function main(argv) {
  try {
    const { options, operands } = parseCommand(argv, 'wasm-trace-node');
    if (options.help) process.stdout.write(helpText('wasm-trace-node'));
    else if (options.version) process.stdout.write(`wasm-trace-node ${packageVersion()}\n`);
    else return await runTraced(options, operands);
    return 0;
  } catch (error) {
    return tellFailure(error);
  }
}

/** @param {unknown} error @returns {number} exit status */
function tellFailure(error) {
  if (error instanceof UsageError) process.stderr.write(usageText('wasm-trace-node', error));
  else if (error instanceof FileError) process.stderr.write(`wasm-trace-node: ${error.message}\n`);
  else throw error;
  return error instanceof UsageError ? 2 : 1;
}

function packageVersion() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
