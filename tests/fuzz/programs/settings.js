// Random settings of a trace, for any module.

/**
 * @import {Random} from '../random.js'
 * @import {InstrumentOptions} from '../../../js/index.js'
 */

const PROBES = [
  'calls', 'calls(*)', 'calls(f*)', 'args(*)', 'ret(*)', 'arg(0, *)', 'args(#7)', 'imports', 'imports(*log*)', 'memory.grow', 'traps',
  'stack(*)', 'stack(#9)', 'ret(*1*)',
];
const DISPLAYS = ['log', 'nested', 'tree', 'histogram'];

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
  };
}
