// A recursion that ends the engine's stack: JavaScript gets the error that it gets without probes, and what is called next stands
// where it belongs, whether the host calls it or the function below which the stack ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attach } from '../../js/index.js';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { TraceModel } from '../../js/model/trace-model.js';
import { assemble } from './assemble.js';
import { links } from './run-module.js';

const bytes = await assemble(`(module
  (import "env" "guard" (func $guard (result i32)))
  (func $deep (export "deep") (param i32) (result i32)
    (i32.add (call $deep (i32.add (local.get 0) (i32.const 1))) (local.get 0)))
  (func $after (export "after") (result i32) (i32.const 7))
  (func $outer (export "outer") (result i32)
    (drop (call $guard))
    (call $after)))`);

/** Different places in which the stack is made to end. */
const ENDS = 6;

const [GUARD, DEEP, AFTER, OUTER] = [0, 1, 2, 3];

/** @type {import('../../js/index.js').InstrumentOptions[]} */
const PLANS = [
  { trace: 'calls(*)', display: 'nested' },
  { trace: ['calls(*)', 'imports'], display: ['nested', 'tree'] },
  { trace: ['calls(*)', 'args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps'], display: ['log', 'tree'], stack: true },
];

/** @param {Uint8Array} module @param {boolean} traced */
function start(module, traced) {
  /** @type {{name: string, message: string}[]} */
  const caught = [];
  /** @type {any} */
  let exports;
  const attempt = () => {
    try {
      return exports.deep(0);
    } catch (error) {
      caught.push({ name: /** @type {Error} */ (error).constructor.name, message: /** @type {Error} */ (error).message });
      return -1;
    }
  };
  const compiled = new WebAssembly.Module(/** @type {BufferSource} */ (module));
  const instance = new WebAssembly.Instance(compiled, { env: { guard: attempt } });
  const session = traced ? attach(instance, compiled) : null;
  exports = instance.exports;
  /** Where the stack ends, in the function or in one of ours, hangs on what is on it already. @param {number} frames @returns {number} */
  const attemptBelow = (frames) => (frames === 0 ? attempt() : attemptBelow(frames - 1));
  const results = [attempt(), exports.after(), exports.outer(), exports.after(), attempt(), exports.outer()];
  for (let frames = 0; frames < ENDS; frames++) results.push(attemptBelow(frames), exports.after());
  return { seen: { results, caught }, session };
}

/** The function around each call of a function. @param {import('../../js/model/calls.js').Calls} calls @param {number} func */
function callersOf(calls, func) {
  const found = calls.func.flatMap((one, call) => (one === func ? [calls.parent[call]] : []));
  return found.map((parent) => (parent < 0 ? 'host' : calls.func[parent]));
}

for (const link of links)
  for (const plan of PLANS)
    test(`${link} ${JSON.stringify(plan)}`, () => {
      const plain = start(bytes, false).seen;
      const options = { ...plan, link, buffer: '64M' };
      const { seen, session } = start(Instrumenter.create().run(bytes, options).bytes, true);
      assert.deepEqual(seen, plain);
      assert.deepEqual(plain.caught[0], { name: 'RangeError', message: 'Maximum call stack size exceeded' });
      assert.ok(session);
      const { calls, lost } = new TraceModel(session.snapshot(), session.metadata);
      assert.equal(lost, 0);
      assert.deepEqual(callersOf(calls, AFTER), ['host', OUTER, 'host', OUTER, ...new Array(ENDS).fill('host')]);
      assert.deepEqual(callersOf(calls, OUTER), ['host', 'host']);
      const asked = [plan.trace].flat().includes('imports');
      const through = asked ? [GUARD] : [OUTER];
      const first = callersOf(calls, DEEP).filter((caller) => caller !== DEEP);
      assert.deepEqual(first, ['host', ...through, 'host', ...through, ...new Array(ENDS).fill('host')]);
      assert.deepEqual(callersOf(calls, GUARD), asked ? [OUTER, OUTER] : []);
      assert.match(session.report(), /after/);
    });
