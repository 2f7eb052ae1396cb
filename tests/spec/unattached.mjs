// A transform for the spec suite's runner: every module is instrumented, and nobody attaches to it.
import { instrument } from '../../js/index.js';
import { tallyAtExit } from '../tally.mjs';
import { options } from './settings.mjs';

let instrumented = 0;
tallyAtExit(() => ({ instrumented, warnings: [] }));

export default (/** @type {Uint8Array} */ bytes) => {
  const output = instrument(bytes, options);
  if (output !== bytes) instrumented++;
  return output;
};
