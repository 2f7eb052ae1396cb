// Small random programs that tell what they do, traced: the trace must say the same, event by event, and its times must add up. For some
// seconds; a case is a seed: node tests/fuzz/traces.mjs SECONDS [SEED]; 0 seconds is one case. What is found is made smaller
// and written to build/fuzz/traces; put in tests/regress/traces it is a test. One such case again, for people:
// node tests/fuzz/traces.mjs FILE.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { engine } from './engine-features.js';
import { Coverage } from './programs/coverage.js';
import { Random } from './random.js';
import { check, linked } from './traces/check.js';
import { caseText } from './traces/listing.js';
import { randomPlan } from './traces/plan.js';
import { moduleOf } from './traces/program-code.js';
import { randomProgram } from './traces/program.js';
import { reduce } from './traces/reduce.js';
import { Skip } from './traces/truth.js';

/** @import {Case, Tally} from './traces/check.js' */

const found = fileURLToPath(new URL('../../build/fuzz/traces', import.meta.url));
/** Of one kind of finds, this many are made smaller; the others are counted. */
const SHOWN_OF_A_KIND = 1;

/** @param {Case} one @param {Tally} [tally] @returns {{kind: string, text: string} | 'skipped' | null} */
function checked(one, tally) {
  try {
    return check(one, tally);
  } catch (/** @type {any} */ error) {
    if (error instanceof Skip) return 'skipped';
    return { kind: error.message.replace(/\d+/g, 'N'), text: error.stack };
  }
}

/** @param {Case} one */
const kindOf = (one) => /** @type {{kind?: string} | null} */ (checked(one))?.kind;

class Fuzzer {
  #coverage = new Coverage();
  /** @type {Map<string, number>} */
  #kinds = new Map();
  /** @type {Tally} */
  #tally = { calls: 0, uncertain: 0, right: 0 };
  counts = { programs: 0, skipped: 0, finds: 0 };

  /** @param {number} seed */
  one(seed) {
    const random = new Random(seed);
    const program = randomProgram(seed, engine);
    const one = { program, plan: randomPlan(random, program, random.pick(engine.links)) };
    const result = checked(one, this.#tally);
    this.counts.programs++;
    if (result === 'skipped') return void this.counts.skipped++;
    this.#coverage.add(moduleOf(program));
    if (result) this.#report(seed, one, result.kind);
  }

  /** @param {number} seed @param {Case} one @param {string} kind */
  #report(seed, one, kind) {
    this.counts.finds++;
    const before = this.#kinds.get(kind) ?? 0;
    this.#kinds.set(kind, before + 1);
    if (before >= SHOWN_OF_A_KIND) return;
    const small = reduce(one, (other) => kindOf(other) === kind);
    mkdirSync(found, { recursive: true });
    writeFileSync(path.join(found, `${seed}.json`), JSON.stringify(small));
    const result = /** @type {{text: string}} */ (checked(small));
    console.log(`FOUND with seed ${seed}: ${kind}\n${caseText(small)}\n- true, + recorded:\n${result.text}`);
    console.log(`again, with ${engine.name}: node tests/fuzz/traces.mjs 0 ${seed}; the case is build/fuzz/traces/${seed}.json\n`);
  }

  close() {
    const { programs, skipped, finds } = this.counts;
    const { calls, uncertain, right } = this.#tally;
    const doubt = `${calls} calls, ${uncertain} with an uncertain caller (${right} of them right)`;
    console.log(`traces against the truth, ${engine.name}: ${programs} programs, ${skipped} tell nothing, ${doubt}, ${this.#coverage.text}, ${finds} finds`);
    for (const [kind, count] of this.#kinds) console.log(`${count} x ${kind}`);
  }
}

/** @param {string} file */
function showCase(file) {
  const one = JSON.parse(readFileSync(file, 'utf8'));
  console.log(caseText(one));
  const results = engine.links.map((link) => ({ link, result: checked(linked(one, link)) }));
  for (const { link, result } of results) console.log(`${link}: ${resultText(result)}`);
  return results.every(({ result }) => result === null);
}

/** @param {ReturnType<typeof checked>} result */
function resultText(result) {
  if (result === null) return 'the trace is right';
  return result === 'skipped' ? 'tells nothing' : `${result.kind}\n- true, + recorded:\n${result.text}`;
}

/** @param {number} seconds @param {number} first */
function fuzz(seconds, first) {
  const fuzzer = new Fuzzer();
  const end = Date.now() + seconds * 1000;
  let seed = first;
  do fuzzer.one(seed++);
  while (Date.now() < end);
  fuzzer.close();
  return fuzzer.counts.finds === 0;
}

const [first = '20', seed = '1'] = process.argv.slice(2);
const right = first.endsWith('.json') ? showCase(first) : fuzz(Number(first), Number(seed));
process.exitCode = right ? 0 : 1;
