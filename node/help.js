// What --help and a usage error print. The native command prints the same (instrumenter/cli/help.c), byte for byte.

import { OPTION_ROWS } from './options.js';

/** @typedef {import('./options.js').CommandName} CommandName */

const HELP_COLUMN = 23;

const INTRODUCTION = {
  'wasm-trace': `Usage: wasm-trace --trace SPEC [OPTIONS] FILE.wasm...
       wasm-trace --restore FILE.wasm...
       wasm-trace symbolize FILE.wasm < STACK
       wasm-trace serve [OPTIONS] [DIR]
       wasm-trace report [OPTIONS] FILE
       wasm-trace diff [OPTIONS] OLD NEW

Makes WebAssembly modules record what they do while they run. Each FILE is
rewritten in place; the original is kept as FILE.orig. FILE may be gzipped.
`,
  'wasm-trace symbolize': `Usage: wasm-trace symbolize [OPTIONS] FILE.wasm < STACK

Rewrites a stack, as browsers, Node, Wasmtime or crash services (text, JSON)
print it, to names and to byte offsets of the original. FILE is the file that
ran, instrumented or not. Frames of the instrumentation are left out; frames of
other modules, and other text, stay as they are.
`,
  'wasm-trace serve': `Usage: wasm-trace serve [OPTIONS] [DIR]

Serves the files of DIR (left out: the current folder) to browsers of this
machine, with every module that a page or its workers load traced. No file is
changed: a script is put in front of pages and workers as they are sent.
Without --trace: an overview of what they do.
`,
  'wasm-trace report': `Usage: wasm-trace report [OPTIONS] FILE

Shows a complete trace: FILE was written by --on-full drain, of wasm-trace-node
or of a program that ran with WASM_TRACE. With --block: FILE is a module that
was instrumented with --link heap, and BLOCK what was read out of its memory.
`,
  'wasm-trace diff': `Usage: wasm-trace diff [OPTIONS] OLD NEW

Shows what changed from one run to another, by function. OLD and NEW were written
by --save, of wasm-trace-node or of a program that ran with WASM_TRACE.
`,
  'wasm-trace-node': `Usage: wasm-trace-node [OPTIONS] PROGRAM [ARGS]

Runs PROGRAM, a .wasm module (WASI) or a script for Node, with every module that
it loads traced, and reports. Without --trace: an overview of what it does.
`,
};

const DISPLAYS = `Displays:
  report                     functions by time: total, self, calls, percentiles
  tree, inverted             who called what; who called this, from below
  callers(PATTERN)           callers and callees of functions
  log, nested                calls in order, flat or indented
  histogram                  values, or how long calls took, by powers of two
`;

const REPORTS = `
Reports, by the name of the file:
  .txt .json .html           as printed; all figures (docs/JSON.md); a page
  .folded .speedscope.json   for flame graphs
  .trace.json .chrome.json   in the order of time, for Perfetto and Chrome
  .md                        what --diff shows, as Markdown
`;

const PROBES = `
Probes:
  calls, calls(PATTERN)      calls and returns
  args(PATTERN)              calls with their arguments
  arg(N, PATTERN)            argument N, counted from 0
  ret(PATTERN)               results
  imports, imports(PATTERN)  calls to the host, with arguments and results
  stack(PATTERN)             the stack at each call
  duration(PATTERN)          how long calls take
  memory.grow                growing memories
  traps                      what led to a trap
  Or, with nothing to quote: calls:malloc arg0:malloc ret:malloc imports:env.*

Patterns:
  malloc   *alloc*   /^std::/   #12   env.abort   "Player::update(float, int)"

${DISPLAYS}`;

const RULES = `
Rules of --fail-if (docs/REGRESSIONS.md):
  +2%   +1000   > 1M         the program: growth, or the most it may take
  malloc +5%                 each function that matches, with all that it calls
  self(/^parse_/) > 10k      total, self, calls, avg, min or max of these
`;

const EXAMPLES = {
  'wasm-trace': `${PROBES}
Examples:
  wasm-trace --trace "arg(0, malloc)" --display histogram app.wasm
  wasm-trace --trace "calls:*alloc*" --list app.wasm
  wasm-trace --restore app.wasm

Exit status: 0 done, 1 a FILE failed (it is left as it was), 2 wrong usage.
`,
  'wasm-trace symbolize': `
Examples:
  node app.mjs 2>&1 | wasm-trace symbolize app.wasm
  wasm-trace symbolize --symbols app.js.symbols app.wasm < stack.txt
`,
  'wasm-trace serve': `${PROBES}
Examples:
  wasm-trace serve
  wasm-trace serve --trace imports --panel right dist
  wasm-trace serve --trace "arg(0, malloc)" --display histogram --isolate dist

Exit status: 0 ended by Ctrl-C, 1 DIR or the port cannot be had, 2 wrong usage.
`,
  'wasm-trace report': `
${DISPLAYS}${REPORTS}
Examples:
  wasm-trace-node --trace calls --on-full drain --drain-to app.wtrace app.mjs
  wasm-trace report --display nested --limit 100000 app.wtrace
  wasm-trace report --block app.block --compensate --report app.html app.wasm
  wasm-trace report --report app.trace.json app.wtrace
`,
  'wasm-trace diff': `${RULES}
Examples:
  wasm-trace diff old.json new.json
  wasm-trace diff --fail-if +2% --report diff.md old.json new.json

Exit status: 0 done, 1 a FILE failed, 2 wrong usage, or files that cannot be
compared, 3 a regression.
`,
  'wasm-trace-node': `${PROBES}${REPORTS}${RULES}
Examples:
  wasm-trace-node app.mjs
  wasm-trace-node --display report app.mjs
  wasm-trace-node --report app.speedscope.json app.mjs
  wasm-trace-node --trace imports app.mjs
  wasm-trace-node --trace "arg(0, malloc)" --display histogram module.wasm
  wasm-trace-node --save base.json app.mjs
  wasm-trace-node --diff base.json --fail-if +2% app.mjs

Exit status: that of PROGRAM; 1 it is not there, or a file failed, 2 wrong usage,
3 a regression.
`,
};

/**
 * @param {Exclude<CommandName, 'WASM_TRACE'>} command
 * @returns {string}
 */
export function helpText(command) {
  const rows = OPTION_ROWS.filter((row) => row.commands.includes(command));
  return `${INTRODUCTION[command]}\nOptions:\n${rows.map((row) => optionLine(row, command)).join('')}${EXAMPLES[command]}`;
}

/**
 * What to print on standard error for a UsageError, before exit status 2.
 * @param {CommandName} command
 * @param {Error} error
 * @returns {string}
 */
export function usageText(command, error) {
  if (command === 'WASM_TRACE') return `wasm-trace: WASM_TRACE: ${error.message}\n`;
  return `${command}: ${error.message}\nTry '${command} --help'.\n`;
}

/** @param {import('./options.js').OptionRow} row @param {CommandName} command */
function optionLine(row, command) {
  const short = row.short ? `-${row.short}, ` : '    ';
  const spelling = `  ${short}--${row.name}${row.value ? ` ${row.value}` : ''}`;
  const others = Object.entries(row.apart ?? {}).filter(([, commands]) => !commands.includes(command));
  const help = others.reduce((text, [choice]) => text.replace(`${choice}, `, ''), row.help);
  return `${spelling.padEnd(HELP_COLUMN)}${help}${row.many ? ' (repeatable)' : ''}\n`;
}
