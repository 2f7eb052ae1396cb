// A random question about a program: the options for the instrumenter, and what they mean, told independently of it.

/**
 * @import {Random} from '../random.js'
 * @import {Program} from './program.js'
 * @import {InstrumentOptions} from '../../../js/index.js'
 *
 * @typedef {object} Asked of a function that is traced
 * @property {number[]} args which are recorded
 * @property {boolean} results
 *
 * @typedef {{skip?: number, maxEvents?: number, from?: number, until?: number}} Window
 *
 * @typedef {object} Plan fits into a JSON file
 * @property {InstrumentOptions} options
 * @property {[number, Asked][]} functions traced ones, by function index
 * @property {number[] | null} only recorded inside calls of these; null: everywhere
 * @property {boolean} grow
 * @property {boolean} traps
 * @property {boolean} ring events are kept
 * @property {boolean} tree the runtime keeps a tree of just the traced functions
 * @property {Window} [window] looked through once more
 * @property {number[] | null} stack functions that the stack of an event shows beside the traced ones; null: events have none
 */

/** Function indices. @param {Program} program */
export function indicesOf({ imports, functions, recorder }) {
  const first = imports.length + (recorder === 'import' ? 1 : 0);
  const recorders = recorder === 'import' ? [imports.length] : [];
  return { imports: imports.map((_, i) => i), functions: functions.map((_, i) => first + i), recorder: recorders, endless: first + functions.length };
}

/** @param {Program} program @param {number} func index @returns {import('./module-writer.js').FuncType} */
export function typeOfFunction(program, func) {
  const { imports, functions, types } = program;
  const first = indicesOf(program).functions[0];
  return types[(imports[func] ?? functions[func - first]).type];
}

/** @param {Random} random @returns {Pick<InstrumentOptions, 'display' | 'stack'>} */
function randomDisplay(random) {
  return random.pick([{ display: ['nested'] }, { display: ['nested'] }, { display: ['nested', 'tree'] }, { display: ['log'], stack: true }, { display: ['tree'] }]);
}

/** Half of the time there is none. As `auto` instructions are counted, and with `wall` the host's clock is read around its calls. @param {Random} random @returns {Pick<InstrumentOptions, 'clock' | 'wall'>} */
function randomClock(random) {
  return random.pick([{}, {}, {}, { clock: 'instructions' }, { clock: 'auto', wall: true }, { clock: 'host' }]);
}

/** @param {Random} random @param {Program} program @param {number} func @param {boolean} timed @returns {{trace: string, asked: Asked}} */
function askFunction(random, program, func, timed) {
  const params = typeOfFunction(program, func).params.map((_, i) => i);
  const one = params.length > 0 ? random.pick(params) : -1;
  return random.pick([
    { trace: `calls(#${func})`, asked: { args: [], results: false } },
    { trace: `args(#${func})`, asked: { args: params, results: false } },
    { trace: `ret(#${func})`, asked: { args: [], results: true } },
    ...(timed ? [{ trace: `duration(#${func})`, asked: { args: [], results: false } }] : []),
    ...(one >= 0 ? [{ trace: `arg(${one}, #${func})`, asked: { args: [one], results: false } }] : []),
  ]);
}

/** Every function with all its values. @param {Random} random @param {Program} program @param {boolean} traps @param {boolean} timed */
function askAll(random, program, traps, timed) {
  const { imports, functions, recorder } = indicesOf(program);
  const withImports = traps || (imports.length > 0 && random.chance(60));
  const all = withImports ? [...imports, ...functions] : functions;
  const hidden = random.chance(30) ? random.some(all, 30) : [];
  const shown = all.filter((func) => !hidden.includes(func));
  const asked = shown.map((func) => /** @type {[number, Asked]} */ ([func, { args: typeOfFunction(program, func).params.map((_, i) => i), results: true }]));
  const hide = [...hidden, ...(withImports ? recorder : [])];
  const durations = timed && random.chance(50) ? ['duration(*)'] : [];
  return { trace: ['args(*)', 'ret(*)', ...durations, ...(withImports && imports.length > 0 ? ['imports'] : [])], hide, functions: asked };
}

/** @param {Random} random @param {Program} program @param {boolean} timed */
function askSome(random, program, timed) {
  const { imports, functions } = indicesOf(program);
  const chosen = random.some(functions, 50);
  const asked = (chosen.length > 0 ? chosen : [functions[0]]).map((func) => ({ func, ...askFunction(random, program, func, timed) }));
  const called = random.some(imports, 40);
  return {
    trace: [...asked.map(({ trace }) => trace), ...called.map((func) => `imports(#${func})`)],
    hide: /** @type {number[]} */ ([]),
    functions: [
      ...asked.map(({ func, asked: what }) => /** @type {[number, Asked]} */ ([func, what])),
      ...called.map((func) => /** @type {[number, Asked]} */ ([func, { args: typeOfFunction(program, func).params.map((_, i) => i), results: true }])),
    ],
  };
}

/** With --only, what opens and closes it might be called where the trace of the whole does not show it.
 * @param {Random} random @param {readonly [number, Asked][]} functions traced ones of the program's own @param {boolean} only @returns {Window} */
function randomWindow(random, functions, only) {
  const some = () => random.pick(functions)[0];
  const counts = { skip: random.from(0, 12), maxEvents: random.from(1, 30) };
  if (only || functions.length === 0 || random.chance(50)) return counts;
  const [one, other] = [some(), some()];
  const calls = random.pick([{ from: one }, { until: one }, { from: one, until: other }, { from: one, until: other }, { from: one, until: one }]);
  return random.chance(25) ? { ...calls, ...counts } : calls;
}

/** @param {Random} random @param {Program} program @param {'split' | 'merged'} link @returns {Plan} */
export function randomPlan(random, program, link) {
  const display = randomDisplay(random);
  const ring = !display.display?.every((one) => one === 'tree');
  const all = random.chance(50);
  const clock = randomClock(random);
  const timed = clock.clock !== undefined;
  const traps = all && ring && random.chance(50); // these ask for the imports too
  const { trace, hide, functions } = all ? askAll(random, program, traps, timed) : askSome(random, program, timed);
  const indices = indicesOf(program);
  const only = random.chance(15) ? random.some(indices.functions, 30) : [];
  const grow = ring && random.chance(50);
  return {
    options: {
      ...display,
      ...clock,
      trace: [...trace, ...(grow ? ['memory.grow'] : []), ...(traps ? ['traps'] : [])],
      hide: [...hide, indices.endless].map((func) => `#${func}`),
      only: only.map((func) => `#${func}`),
      minSize: 0,
      link,
      legacyExceptions: true,
      deferStart: link === 'split',
    },
    functions,
    only: only.length > 0 ? only : null,
    grow,
    traps,
    ring,
    tree: Boolean(display.display?.includes('tree')),
    ...(ring && random.chance(50) && { window: randomWindow(random, functions.filter(([func]) => func >= program.imports.length), only.length > 0) }),
    stack: display.stack ? indices.functions.filter((func) => !hide.includes(func)) : null,
  };
}

/** Functions that a table or an instruction names, so that the host may have them by another way than an export.
 * @param {Program} program @returns {Set<number>} function indices */
export function addressTaken(program) {
  const { imports, functions } = indicesOf(program);
  const taken = new Set(program.tables.flatMap(({ elements }) => elements));
  JSON.stringify([program.functions, program.imports], (_, value) => {
    if (value?.op === 'set' || value?.how === 'ref') taken.add(value.callee);
    if (value?.type === 'funcref' && value.bits !== '0' && value.bits !== undefined) taken.add(Number(value.bits) - 1);
    return value;
  });
  return new Set([...imports, ...functions].filter((_, callee) => taken.has(callee)));
}
