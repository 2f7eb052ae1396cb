// The page's tracer as a panel sees it.

import { withTrace } from './options.js';

/** @import {PanelSource} from '../panel/source.js' */
/** @import {Tracer} from './tracer.js' */

/** @param {Tracer} tracer @returns {PanelSource} */
export function makeSource(tracer) {
  return {
    sessions: () => tracer.sessions,
    modules: () => tracer.modules.map(({ facts, info }) => ({ ...info, instances: instancesOf(tracer, facts) })),
    warnings: () => tracer.warnings,
    trace: () => [tracer.options.trace ?? []].flat(),
    traps: () => tracer.trapTexts,
    compensates: () => tracer.options.compensate ?? false,
    control: {
      refresh: () => tracer.refresh(),
      clear: () => tracer.clear(),
      start: () => tracer.start(),
      stop: () => tracer.stop(),
      isRecording: () => tracer.isRecording,
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
