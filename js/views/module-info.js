// What there is to say of each module, from its sessions: for lists of what is loaded.

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {ModuleInfo} from './recorded.js' */

/** Functions looked at to tell whether a module has names. */
const SAMPLE = 200;

/** @typedef {{label: string, metadata: Metadata, names: Pick<FunctionNames, 'has'>}} ModuleSession */

/**
 * Whether most of a module's own functions have names: exports alone are few.
 * @param {Pick<Metadata, 'importCount' | 'functionCount'>} metadata
 * @param {Pick<FunctionNames, 'has'>} names
 */
export function hasNames({ importCount, functionCount }, names) {
  const own = functionCount - importCount;
  const step = Math.max(1, Math.floor(own / SAMPLE));
  let [looked, named] = [0, 0];
  for (let func = importCount; func < functionCount; func += step, looked++) if (names.has(func)) named++;
  return named * 2 > looked;
}

/** @param {readonly ModuleSession[]} sessions of one module @returns {ModuleInfo} */
function infoOf(sessions) {
  const [{ label, metadata, names }] = sessions;
  return {
    name: label,
    originalSize: metadata.originalSize,
    tracedSize: 0,
    milliseconds: 0,
    functions: metadata.functionCount - metadata.importCount,
    imports: metadata.importCount,
    traced: metadata.tracedCount,
    tiny: metadata.tinyCount,
    link: metadata.split ? 'split' : 'merged',
    named: hasNames(metadata, names),
    instances: sessions.length,
  };
}

/** @param {readonly ModuleSession[]} sessions @returns {ModuleInfo[]} in the order in which they were first used */
export function moduleInfos(sessions) {
  /** @type {Map<Metadata, ModuleSession[]>} */
  const modules = new Map();
  for (const session of sessions) modules.set(session.metadata, [...(modules.get(session.metadata) ?? []), session]);
  return [...modules.values()].map(infoOf);
}
