// Random valid modules from Binaryen's fuzzer, run plain and traced, for some seconds: results, traps, calls of the host,
// memories and globals must be the same. A case is a seed: node tests/fuzz/programs.mjs SECONDS [SEED]; 0 seconds is one case.
import { instrument } from '../../js/index.js';
import { engine } from './engine-features.js';
import { Coverage } from './programs/coverage.js';
import { REFUSALS, overflows, reportFind } from './programs/find.js';
import { ModuleSource } from './programs/random-module.js';
import { randomSettings } from './programs/settings.js';
import { runWorld } from './programs/world.js';
import { Random } from './random.js';

/** @import {InstrumentOptions} from '../../js/index.js' */

const SETTINGS_PER_MODULE = 6;

/** @param {readonly string[]} plain @param {readonly string[]} traced @returns {string | null} the first line that differs */
function difference(plain, traced) {
  const length = Math.max(plain.length, traced.length);
  for (let i = 0; i < length; i++) if (plain[i] !== traced[i]) return `plain:  ${plain[i]}\ntraced: ${traced[i]}`;
  return null;
}

class Fuzzer {
  #coverage = new Coverage();
  #modules = new ModuleSource(engine.exnref);
  counts = { refused: 0, modules: 0, runs: 0, overflows: 0, finds: 0 };

  /** @param {number} seed */
  async one(seed) {
    const random = new Random(seed);
    const bytes = await this.#modules.next(random);
    if (!WebAssembly.validate(/** @type {BufferSource} */ (bytes))) return void this.counts.refused++; // both kinds of exceptions
    const plain = runWorld(bytes).account;
    this.counts.modules++;
    if (overflows(plain)) return void this.counts.overflows++;
    this.#coverage.add(bytes);
    for (let i = 0; i < SETTINGS_PER_MODULE; i++) {
      const settings = randomSettings(random, random.pick(engine.links));
      const problem = this.#compare(bytes, settings, plain);
      if (problem) return this.#report(seed, bytes, settings, problem);
    }
  }

  /** @param {Uint8Array} bytes @param {InstrumentOptions} settings @param {string[]} plain @returns {string | null} */
  #compare(bytes, settings, plain) {
    try {
      const output = instrument(bytes, settings);
      if (output === bytes) return null; // nothing matches
      const { account, session } = runWorld(output, { traced: true });
      this.counts.runs++;
      if (overflows(account)) return null;
      session?.report();
      return difference(plain, account);
    } catch (/** @type {any} */ error) {
      return REFUSALS.has(error.code) ? null : error.stack;
    }
  }

  /** @param {number} seed @param {Uint8Array} bytes @param {InstrumentOptions} settings @param {string} problem */
  #report(seed, bytes, settings, problem) {
    this.counts.finds++;
    reportFind('programs', seed, bytes, settings, problem);
  }

  close() {
    this.#modules.close();
    const { modules, runs, overflows: deep, finds } = this.counts;
    console.log(`random programs, ${engine.name}: ${modules} modules, ${runs} traced runs, ${deep} too deep, ${this.#coverage.text}, ${finds} finds`);
    return this.#coverage.missing;
  }
}

const [seconds = '20', first = '1'] = process.argv.slice(2);
const fuzzer = new Fuzzer();
const end = Date.now() + Number(seconds) * 1000;
let seed = Number(first);
do await fuzzer.one(seed++);
while (Date.now() < end);
const missing = fuzzer.close();
if (process.env.WASM_TRACE_FUZZ_MISSING) console.log(`opcodes that never came: ${missing.join(' ')}`);
process.exitCode = fuzzer.counts.finds > 0 ? 1 : 0;
