// The page's tracer as a panel sees it.

import { withTrace } from './options.js';

/** @import {Session} from '../../js/loader/session.js' */
/** @import {Tracer} from './tracer.js' */

/**
 * What a panel shows: live in a page, of recorded data in a report.
 * @typedef {object} PanelSource
 * @property {() => readonly PanelSession[]} sessions
 * @property {() => readonly PanelModule[]} modules
 * @property {() => readonly string[]} warnings all that the loader said
 * @property {() => readonly string[]} trace the probes of now
 * @property {PanelControl | null} control null: recorded data
 *
 * @typedef {Pick<Session, 'name' | 'label' | 'thread' | 'metadata' | 'names' | 'snapshot'>} PanelSession
 *
 * @typedef {import('./module-list.js').ModuleInfo & {instances: number}} PanelModule
 *
 * @typedef {object} PanelControl
 * @property {() => Promise<void>} refresh
 * @property {() => void} clear forget what was recorded up to now
 * @property {(specs: string[]) => void} trace of modules that are loaded from now on
 * @property {(specs: string[]) => void} reload the page, with these probes
 * @property {(spec: string) => {module: string, count: number, text: string}[]} matches throws WasmTraceError for a spec that does not parse
 * @property {(prefix: string, most: number) => string[]} complete names of functions and imports
 */

/** @param {Tracer} tracer @returns {PanelSource} */
export function makeSource(tracer) {
  return {
    sessions: () => tracer.sessions,
    modules: () => tracer.modules.map(({ facts, info }) => ({ ...info, instances: instancesOf(tracer, facts) })),
    warnings: () => tracer.warnings,
    trace: () => [tracer.options.trace ?? []].flat(),
    control: {
      refresh: () => tracer.refresh(),
      clear: () => tracer.clear(),
      trace: (specs) => void tracer.trace(specs),
      reload: (specs) => location.assign(withTrace(location.href, specs)),
      matches: (spec) => tracer.moduleList.matches(spec),
      complete: (prefix, most) => tracer.moduleList.complete(prefix, most),
    },
  };
}

/** @param {Tracer} tracer @param {unknown} facts */
function instancesOf(tracer, facts) {
  return tracer.sessions.filter((session) => session.facts === facts).length;
}
