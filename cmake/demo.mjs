// What `npm start` shows: the main job on a bundled program, each command as it can be typed.
import { run } from './steps.mjs';

// Reads JSON: a document of its own, or the one given.
const program = 'build/programs/json.wasm';

const questions = [
  {
    asks: 'How large are the blocks that the program allocates?',
    command: ['--trace', 'arg(0, malloc)', '--display', 'histogram', program],
  },
  {
    asks: 'What does its parser do, step by step?',
    command: [
      ...['--trace', 'args(parse_*)', '--trace', 'ret(parse_*)', '--display', 'nested'],
      ...[program, '{"sizes": [3, 4]}'],
    ],
  },
  {
    asks: 'Which functions does it call, and where do they lead?',
    command: ['--trace', 'calls', '--display', 'tree', '--limit', '25', program],
  },
];

/** Asks each question; returns the first exit status that is not 0. */
export function demo() {
  for (const { asks, command } of questions) {
    const words = ['node/wasm-trace-node', ...command];
    console.error(`\n# ${asks}\n$ node ${words.map(quoted).join(' ')}\n`);
    const status = run(process.execPath, words);
    if (status !== 0) return status;
  }
  console.error('\nThe same works on any .wasm, any program for Node, and any page (`wasm-trace serve`). README.md has more; npm test runs the tests.');
  return 0;
}

/** As a shell wants it. */
function quoted(word) {
  if (/^[\w./=:-]+$/.test(word)) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}
