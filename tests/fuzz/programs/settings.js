// Random settings of a trace, for any module.

/**
 * @import {Random} from '../random.js'
 * @import {InstrumentOptions} from '../../../js/index.js'
 */

const PROBES = [
  'calls', 'calls(*)', 'calls(f*)', 'args(*)', 'ret(*)', 'arg(0, *)', 'args(#7)', 'imports', 'imports(*log*)', 'memory.grow', 'traps',
  'stack(*)', 'stack(#9)', 'ret(*1*)', 'duration(*)', 'duration(f*)',
];
const DISPLAYS = ['log', 'nested', 'tree', 'inverted', 'histogram', 'report'];

const CLOCKS = ['instructions', 'host', 'auto'];

/** Clocks, windows, and what happens when the buffer is full. @param {Random} random @returns {InstrumentOptions} */
function randomPart(random) {
  return {
    ...(random.chance(40) && { clock: random.pick(CLOCKS), wall: random.chance(50), autoClock: 'instructions' }),
    ...(random.chance(20) && { from: random.pick(['*1*', '#9', 'func*']) }),
    ...(random.chance(20) && { until: random.pick(['*2*', '#8', '*invoker']) }),
    ...(random.chance(20) && { skip: random.below(30) }),
    ...(random.chance(20) && { maxEvents: random.below(60) }),
    ...(random.chance(30) && { onFull: random.pick(['drain', 'stop', 'aggregate']) }),
    stopped: random.chance(5),
  };
}

/** @param {Random} random @param {'split' | 'merged'} link @returns {InstrumentOptions} */
export function randomSettings(random, link) {
  const trace = random.some(PROBES, 25);
  return {
    trace: trace.length > 0 ? trace : ['args(*)', 'ret(*)', 'imports', 'memory.grow', 'traps', 'stack(*)'],
    display: random.some(DISPLAYS, 35),
    hide: random.chance(20) ? [random.pick(['*2*', '#8', '*log*'])] : [],
    only: random.chance(15) ? [random.pick(['*invoker', '#9', 'f*'])] : [],
    minSize: random.pick([0, 0, 16, 40]),
    stack: random.chance(25),
    buffer: random.pick(['4K', '64K', '1M']),
    legacyExceptions: random.chance(50),
    deferStart: link === 'split' && random.chance(50),
    someMatch: true,
    link,
    ...randomPart(random),
  };
}
