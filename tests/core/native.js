// The native instrumenter over many modules in one process: see transform.c, allocations.c and rests.c.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = process.env.WASM_TRACE_BUILD ?? fileURLToPath(new URL('../../build', import.meta.url));

/** Longer than anything takes, on a machine that is busy and with sanitizers, to end what never would: milliseconds. */
const TIMEOUT = 600_000;

/** Statuses that end a job without a word about the module. */
export const STATUS = Object.freeze({ OK: 0, MODULE: 1, COMPONENT: 2, TRACED: 3, PROBE: 4, NO_MATCH: 5, LIMIT: 6, MEMORY: 7 });

/**
 * @typedef {object} Transformed
 * @property {number} status one of STATUS
 * @property {Uint8Array | null} bytes the instrumented module
 * @property {string} message when there are no bytes
 */

/** @param {readonly Uint8Array[]} modules @returns {Buffer} */
function frame(modules) {
  return Buffer.concat(
    modules.flatMap((module) => {
      const size = Buffer.alloc(4);
      size.writeUInt32LE(module.length);
      return [size, module];
    }),
  );
}

/** @param {Buffer} output @returns {Transformed[]} */
function unframe(output) {
  const results = [];
  for (let at = 0; at < output.length; ) {
    const status = output.readUInt32LE(at);
    const end = at + 8 + output.readUInt32LE(at + 4);
    const content = output.subarray(at + 8, end);
    results.push({ status, bytes: status === STATUS.OK ? content : null, message: status === STATUS.OK ? '' : String(content) });
    at = end;
  }
  return results;
}

/** @param {import('../../js/index.js').InstrumentOptions} options */
function argumentsOf(options) {
  return Object.entries(options).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, one === true ? '1' : String(one)]));
}

/**
 * @param {readonly Uint8Array[]} modules
 * @param {import('../../js/index.js').InstrumentOptions} options those that transform.c knows
 * @returns {Transformed[]} one for each module
 * @throws when the process crashes or does not end
 */
export function transformAll(modules, options) {
  return runAll('wt_transform', modules, argumentsOf(options));
}

/**
 * The same job again and again, each time with another allocation that fails.
 * @param {readonly Uint8Array[]} modules
 * @param {import('../../js/index.js').InstrumentOptions & {twin?: boolean}} options twin: the module is its file of symbols
 * @returns {Transformed[]} status OK, or a message that says at which allocation things went wrong
 */
export function failAllocations(modules, options) {
  return runAll('wt_allocations', modules, argumentsOf(options));
}

/**
 * What the rest of its block weighs, by the offset of every instruction.
 * @param {Uint8Array} bytes
 * @param {import('../../js/index.js').InstrumentOptions} options
 * @returns {Map<number, bigint>}
 */
export function restsOfBlocks(bytes, options) {
  const [{ bytes: output, message }] = runAll('wt_rests', [bytes], argumentsOf(options));
  if (!output) throw new Error(message);
  const all = Array.from(bytes, (_, i) => Buffer.from(output).readBigUInt64LE(8 * i));
  return new Map([...all.entries()].filter(([, rest]) => rest !== 0xffff_ffff_ffff_ffffn));
}

/** @param {string} program @param {readonly Uint8Array[]} modules @param {string[]} args */
function runAll(program, modules, args) {
  const { status, signal, error, stdout, stderr } = spawnSync(`${build}/${program}`, args, {
    input: frame(modules),
    maxBuffer: 2 ** 30,
    timeout: TIMEOUT,
  });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? signal ?? status}\n${stderr}`);
  return unframe(stdout);
}
