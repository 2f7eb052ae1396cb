// What a panel shows, and what it can have done: the contract between it and the page script (live) or the HTML report
// (recorded).

/** @import {Metadata} from '../../js/trace/metadata.js' */
/** @import {FunctionNames} from '../../js/trace/names.js' */
/** @import {Snapshot} from '../../js/trace/snapshot.js' */
/** @import {Ending} from '../../js/views/log.js' */
/** @import {ModuleInfo, Resolution} from '../../js/views/recorded.js' */

/**
 * @typedef {object} PanelSource
 * @property {() => readonly PanelSession[]} sessions js/loader/session.js has all of it
 * @property {() => readonly ModuleInfo[]} modules
 * @property {() => readonly string[]} warnings all that the loader said
 * @property {() => readonly string[]} trace the probes of now
 * @property {() => readonly string[]} [traps] reports on traps, as text
 * @property {() => boolean} [compensates] whether what tracing cost is subtracted from times
 * @property {PanelControl | null} control null: recorded data, nothing to control
 *
 * @typedef {object} PanelSession
 * @property {string} name unique
 * @property {string} label the name without a number
 * @property {number} [thread] the worker that it is in
 * @property {Ending} [ending] what has become of calls that did not return; running when left out
 * @property {Uint8Array} [section] content of the custom section "wasm-trace"; without it, the session cannot be saved as HTML
 * @property {Metadata} metadata
 * @property {Pick<FunctionNames, 'name' | 'has'>} names
 * @property {() => Snapshot} snapshot a copy of now
 * @property {{initial: number, final: number} | null} [memory] bytes of the program's own
 * @property {number} [timeOrigin] performance.timeOrigin in its thread; left out for those of workers, and of recorded data
 * @property {import('../../js/views/recorded.js').RecordedSession['cost']} [cost] what recording a call or a return costs, in the clock's unit
 * @property {boolean} [isLive] it is read where it records
 * @property {boolean} [isRecording] its probes are on
 * @property {() => void} [start] turns them on
 * @property {() => void} [stop] turns them off
 * @property {{resolution: Resolution | null} | null} [clock] how finely its clock goes, where that is known
 *
 * @typedef {object} PanelControl
 * @property {() => Promise<void>} refresh asks workers and frames for what they have recorded
 * @property {() => void} clear forgets what was recorded up to now
 * @property {() => void} [start] turns all probes on, those of modules to come, too; where it is missing, each session's are
 * @property {() => void} [stop] turns them off
 * @property {() => boolean} [isRecording] whether they are on
 * @property {(specs: string[]) => void} trace for modules loaded from now on
 * @property {(specs: string[]) => void} reload the page, with these
 * @property {(spec: string) => {module: string, count: number, text: string}[]} matches throws for a spec that does not parse
 * @property {(prefix: string, most: number) => string[]} complete names of functions and imports
 */

/** @type {PanelSource} */
export const NO_SOURCE = Object.freeze({
  sessions: () => [],
  modules: () => [],
  warnings: () => [],
  trace: () => [],
  control: null,
});
