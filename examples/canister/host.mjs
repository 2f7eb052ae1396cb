// A host with the few calls of the Internet Computer's system interface that canister.c needs, and as strict as a replica: the module has
// one memory, of 32 bits, and imports nothing else; there is one instance; only the messages that it exports are called; what it replies has
// a limit; after a query its memory is as it was before.
//
// The replica's performance counter is that of its metering. Here tests/core/counting.js stands in for it, which puts an addition
// in front of each instruction, by the table weights/internet-computer.txt. So it counts what probes execute, too, as a replica does.
//
//   node host.mjs [--block OUT] canister.wasm update:run=1000 query:total
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { countEach } from '../../tests/core/counting.js';

/** What a reply may have; the Internet Computer's limits are 3 MB for queries and 2 MB for updates. */
export const REPLY_LIMIT = 2_000_000;

/** What the replica adds for each reading of the counter: overhead::PERFORMANCE_COUNTER in system_api_complexity.rs of github.com/dfinity/ic. */
const COUNTER_COST = 200n;

const PIECE_ARGUMENT = 8;
const READER = 'query:__wasm_trace';

/** @returns {Record<string, number>} weights by name of instruction */
export function readWeights() {
  const text = readFileSync(new URL('../../weights/internet-computer.txt', import.meta.url), 'utf8');
  const rows = text.split('\n').map((line) => /^([\w.]+) (\d+)$/.exec(line.trim())).filter((row) => row !== null);
  return Object.fromEntries(rows.map(([, name, weight]) => [name, Number(weight)]));
}

/** What a canister may not have, and a module that is traced with a memory of its own, hooks or a table would have. @param {WebAssembly.Module} module */
function checkAllowed(module) {
  const others = WebAssembly.Module.imports(module).filter(({ module: from, kind }) => from !== 'ic0' || kind !== 'function');
  if (others.length > 0) throw new Error(`the canister imports ${others[0].module}.${others[0].name}`);
  const exports = WebAssembly.Module.exports(module);
  if (exports.filter(({ kind }) => kind === 'memory').length > 1) throw new Error('the canister has more than one memory');
  if (exports.some(({ kind }) => kind === 'table')) throw new Error('the canister exports a table');
}

export class Canister {
  #exports;
  /** What the system has charged beside instructions. */
  #charged = 0n;
  #began = 0n;
  #argument = new Uint8Array(0);
  /** @type {Uint8Array[]} */
  #reply = [];
  #replied = false;
  #replyLimit;

  /** @param {Uint8Array} bytes @param {{replyLimit?: number}} [options] */
  constructor(bytes, { replyLimit = REPLY_LIMIT } = {}) {
    checkAllowed(new WebAssembly.Module(bytes));
    this.#replyLimit = replyLimit;
    const metered = new WebAssembly.Module(countEach(bytes, readWeights()));
    this.#exports = new WebAssembly.Instance(metered, { ic0: this.#system }).exports;
    this.#run('canister_init');
  }

  /**
   * @param {string} message `update:NAME` or `query:NAME`
   * @param {Uint8Array} [argument]
   * @returns {Uint8Array} the reply
   */
  call(message, argument = new Uint8Array(0)) {
    const [kind, name] = message.split(':');
    const kept = kind === 'query' ? this.#memory.slice() : null;
    this.#argument = argument;
    this.#reply = [];
    this.#replied = false;
    this.#run(`canister_${kind} ${name}`);
    if (kept) this.#memory.set(kept);
    if (!this.#replied) throw new Error(`${message} has not replied`);
    return Buffer.concat(this.#reply);
  }

  /** Instructions of the message that runs, or ran last, by the weights, and what the system charges. @returns {bigint} */
  get counter() {
    return this.#exports.count.value + this.#charged - this.#began;
  }

  get #memory() {
    return new Uint8Array(this.#exports.memory.buffer);
  }

  /** @param {string} name */
  #run(name) {
    this.#began += this.counter;
    this.#exports[name]?.();
  }

  /** @param {number} from @param {number} size */
  #bytes(from, size) {
    const [start, end] = [from >>> 0, (from >>> 0) + (size >>> 0)];
    if (end > this.#memory.length) throw new RangeError('outside of the memory');
    return this.#memory.subarray(start, end);
  }

  get #system() {
    return {
      msg_arg_data_size: () => this.#argument.length,
      msg_arg_data_copy: (/** @type {number} */ to, /** @type {number} */ offset, /** @type {number} */ size) =>
        this.#bytes(to, size).set(this.#argument.subarray(offset, offset + size)),
      msg_reply_data_append: (/** @type {number} */ from, /** @type {number} */ size) => {
        this.#reply.push(this.#bytes(from, size).slice());
        const total = this.#reply.reduce((sum, { length }) => sum + length, 0);
        if (total > this.#replyLimit) throw new Error(`a reply of ${total} bytes: at most ${this.#replyLimit} are allowed`);
      },
      msg_reply: () => {
        this.#replied = true;
      },
      performance_counter: () => {
        this.#charged += COUNTER_COST;
        return this.counter;
      },
    };
  }
}

/** @param {...number} numbers @returns {Uint8Array} 32 bits each, little-endian */
export function encode(...numbers) {
  return new Uint8Array(Uint32Array.from(numbers).buffer);
}

/**
 * Fetches what a traced canister has recorded, piece by piece: the last one is shorter.
 * @param {Canister} canister
 * @param {number} [piece] bytes, at most what a reply may have
 * @returns {Uint8Array} empty: there is no block yet
 */
export function fetchBlock(canister, piece = REPLY_LIMIT) {
  const pieces = [];
  for (let offset = 0, got = piece; got === piece; offset += got) {
    pieces.push(canister.call(READER, encode(offset, piece)));
    got = pieces[pieces.length - 1].length;
  }
  return Buffer.concat(pieces);
}

/** @param {string[]} args */
function main(args) {
  const blockPath = args[0] === '--block' ? args.splice(0, 2)[1] : undefined;
  const [path, ...messages] = args;
  const canister = new Canister(readFileSync(path));
  for (const message of messages) {
    const [name, number] = message.split('=');
    const reply = canister.call(name, number === undefined ? undefined : encode(Number(number)));
    console.log(`${message}: ${Buffer.from(reply).readBigUInt64LE()}, ${canister.counter} instructions`);
  }
  if (blockPath !== undefined) writeFileSync(blockPath, fetchBlock(canister));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
