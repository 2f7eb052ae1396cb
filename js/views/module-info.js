// What there is to say of each module, from its sessions: for lists of what is loaded.

/** @import {Metadata} from '../trace/metadata.js' */
/** @import {FunctionNames} from '../trace/names.js' */
/** @import {ModuleInfo} from './recorded.js' */

/** Functions looked at to tell whether a module has names. */
const SAMPLE = 200;

/** @typedef {{label: string, thread?: number, metadata: Metadata, names: Pick<FunctionNames, 'has'>}} ModuleSession */

/** Without the worker that an instance is in. @param {Pick<ModuleSession, 'label' | 'thread'>} session */
export function moduleName({ label, thread }) {
  const end = ` (worker ${thread})`;
  return label.endsWith(end) ? label.slice(0, -end.length) : label;
}

/** Sessions of the same module have the same key: it may have been compiled several times. @param {Pick<ModuleSession, 'label' | 'thread' | 'metadata'>} session */
export function moduleKey(session) {
  const { metadata } = session;
  const { originalSize, functionCount, importCount, tracedCount, trace, tree, histograms } = metadata;
  return JSON.stringify([moduleName(session), originalSize, functionCount, importCount, tracedCount, trace, tree, histograms.length]);
}

/** Figures of different clocks have no sum. @param {Pick<ModuleSession, 'label' | 'thread' | 'metadata'>} session */
export function sumKey(session) {
  return `${moduleKey(session)} ${JSON.stringify(session.metadata.clock)}`;
}

/**
 * @template {Pick<ModuleSession, 'label' | 'thread' | 'metadata'>} T
 * @param {readonly T[]} sessions
 * @param {(session: T) => string} [keyOf] those that belong together
 * @returns {T[][]} in order of the first of each
 */
export function groupByModule(sessions, keyOf = moduleKey) {
  /** @type {Map<string, T[]>} */
  const modules = new Map();
  for (const session of sessions) {
    const key = keyOf(session);
    const known = modules.get(key);
    if (known) known.push(session);
    else modules.set(key, [session]);
  }
  return [...modules.values()];
}

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
  const [{ metadata, names }] = sessions;
  return {
    name: moduleName(sessions[0]),
    originalSize: metadata.originalSize,
    tracedSize: 0,
    milliseconds: 0,
    functions: metadata.functionCount - metadata.importCount,
    imports: metadata.importCount,
    traced: metadata.tracedCount,
    tiny: metadata.tinyCount,
    link: metadata.split ? 'split' : metadata.heap ? 'heap' : 'merged',
    named: hasNames(metadata, names),
    instances: sessions.length,
  };
}

/** @param {readonly ModuleSession[]} sessions @returns {ModuleInfo[]} in the order in which they were first used */
export function moduleInfos(sessions) {
  return groupByModule(sessions).map(infoOf);
}
