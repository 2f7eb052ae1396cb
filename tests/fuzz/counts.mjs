// Random valid modules from Binaryen's fuzzer, whose executed instructions are counted: by blocks, as the instrumenter does it, and one by
// one, as tests/core/counting.js does. node tests/fuzz/counts.mjs SECONDS [SEED]; 0 seconds is one case.
import { instrument } from '../../js/index.js';
import { countEach, exportCount, restsOf } from '../core/counting.js';
import { engine } from './engine-features.js';
import { REFUSALS, overflows, reportFind } from './programs/find.js';
import { ModuleSource } from './programs/random-module.js';
import { runWorld } from './programs/world.js';
import { Random } from './random.js';

/** @import {InstrumentOptions} from '../../js/index.js' */
/** @import {Weights} from '../core/counting.js' */


/** @type {InstrumentOptions[]} */
const PROBES = [
  { trace: 'memory.grow', display: 'histogram' },
  { trace: ['calls', 'traps'], minSize: 0 },
  { trace: ['calls(*)', 'ret(*)'], display: ['tree', 'nested'], stack: true },
];

/** @param {Weights} weights */
const tableOf = (weights) => Object.entries(weights).map(([name, weight]) => `${name} ${weight}`).join('\n');

/**
 * What the host sees of a run, with the count at its end.
 * @param {Uint8Array} bytes
 * @param {{traced?: boolean, rests?: Map<number, bigint>}} options rests: what a trap leaves in the count, by the place of the trap
 */
function run(bytes, { traced = false, rests = new Map() }) {
  let left = 0n;
  const trapped = (/** @type {Record<string, any>} */ exports) => {
    left += rests.get(exports.place?.value) ?? 0n;
  };
  const { account, exports } = runWorld(bytes, { traced, trapped });
  return { account: account.filter((line) => !/^(count|place): /.test(line)), count: exports && exports.count.value + left };
}

class Fuzzer {
  #modules = new ModuleSource(engine.exnref);
  counts = { modules: 0, runs: 0, left: 0, finds: 0 };

  /** @param {number} seed */
  async one(seed) {
    const random = new Random(seed);
    const bytes = await this.#modules.next(random);
    if (!WebAssembly.validate(/** @type {BufferSource} */ (bytes))) return; // both kinds of exceptions
    /** @type {Weights} */
    const weights = random.pick([{}, {}, { default: 3, 'local.get': 0, br_if: 7, block: 0, loop: 0, call: 0, 'i32.const': 90000 }]);
    const truth = run(countEach(bytes, weights), { rests: restsOf(bytes, weights) });
    if (truth.count === undefined || overflows(truth.account)) return void this.counts.left++;
    this.counts.modules++;
    for (const probes of PROBES) {
      const options = { ...probes, clock: 'instructions', weights: Buffer.from(tableOf(weights)), link: random.pick(engine.links) };
      const problem = this.#compare(bytes, options, truth);
      if (problem) return this.#report(seed, bytes, options, problem);
    }
  }

  /** @param {Uint8Array} bytes @param {InstrumentOptions} options @param {ReturnType<typeof run>} truth @returns {string | null} */
  #compare(bytes, options, truth) {
    try {
      const { account, count } = run(exportCount(instrument(bytes, options)), { traced: true });
      if (overflows(account)) return null;
      this.counts.runs++;
      return count === truth.count ? null : `${count} instead of ${truth.count}`;
    } catch (/** @type {any} */ error) {
      return REFUSALS.has(error.code) ? null : error.stack;
    }
  }

  /** @param {number} seed @param {Uint8Array} bytes @param {InstrumentOptions} options @param {string} problem */
  #report(seed, bytes, options, problem) {
    this.counts.finds++;
    reportFind('counts', seed, bytes, { ...options, weights: String(options.weights) }, problem);
  }

  close() {
    this.#modules.close();
    const { modules, runs, left, finds } = this.counts;
    console.log(`instructions counted, ${engine.name}: ${modules} modules, ${runs} runs, ${left} left out, ${finds} finds`);
  }
}

const [seconds = '20', first = '1'] = process.argv.slice(2);
const fuzzer = new Fuzzer();
const end = Date.now() + Number(seconds) * 1000;
let seed = Number(first);
do await fuzzer.one(seed++);
while (Date.now() < end);
fuzzer.close();
process.exitCode = fuzzer.counts.finds > 0 ? 1 : 0;
