// What a view cannot show, in plain words; each view says what matters to it.
import { unmeasuredNote } from '../../js/views/profile.js';
import { counted } from '../../js/views/text.js';
import { amountWithUnit, costText } from '../../js/views/units.js';

/** @import {Shown} from './shown.js' */
/** @import {WeightId} from './weights.js' */

/** @param {Shown} shown */
export function eventNotes(shown) {
  if (shown.isSum) return [];
  return [...earlierNotes(shown), ...fullNotes(shown.model)];
}

/** @param {Shown} shown */
function earlierNotes(shown) {
  if (shown.lost === 0) return [];
  if (shown.isCut) return ['Only the newest events are shown while recording; stop to see all that were kept.'];
  return [`${counted(shown.lost, 'older event was', 'older events were')} overwritten: the buffer was full.`];
}

/** @param {Pick<Shown['model'], 'missed' | 'stoppedFull'>} model */
function fullNotes({ missed, stoppedFull }) {
  if (missed > 0) return [`${counted(missed, 'newer event is', 'newer events are')} missing: the buffer was full.`];
  return stoppedFull ? ['Recording stopped when the buffer was full.'] : [];
}

/** @param {Shown} shown */
export function treeNotes(shown) {
  const { snapshot, metadata, model } = shown;
  const notes = model.treeIsWhole ? fullNotes({ missed: 0, stoppedFull: model.stoppedFull }) : eventNotes(shown);
  if (snapshot.nodesDropped > 0n)
    notes.push(`${counted(snapshot.nodesDropped, 'call is', 'calls are')} not in the tree: it was full.`);
  if (metadata.tinyCount > 0) notes.push(`${counted(metadata.tinyCount, 'tiny function')} left out.`);
  return notes;
}

/** What of single calls is not known. @param {Shown} shown */
export function callNotes({ profile: { unmeasured } }) {
  return unmeasured > 0 ? [`${unmeasuredNote(unmeasured)}.`] : [];
}

/** @param {string} text */
const sentence = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * What of the time stands in no frame, and what tracing added to it.
 * @param {Shown} shown
 * @param {WeightId} [weight] that is shown
 */
export function timeNotes({ model, profile, tracingCost, compensated }, weight = 'time') {
  const { clock } = model;
  if (!clock || weight !== 'time') return [];
  const { outside, dropped } = profile;
  const notes = [];
  if (tracingCost) notes.push(sentence(`${costText(tracingCost, clock.unit)}${compensated ? '; subtracted from total, self and avg' : ''}.`));
  if (outside > 0) notes.push(`${amountWithUnit(outside, clock.unit)} passed outside of traced calls.`);
  if (dropped > 0) notes.push(`${amountWithUnit(dropped, clock.unit)} passed in calls that are not in the tree.`);
  return notes;
}

/** Frames of which a chart by time shows nothing. @param {Shown} shown @param {WeightId} weight that is shown */
export function widthNotes({ model, tree }, weight) {
  const { clock } = model;
  if (!clock || !tree.time || weight !== 'time') return [];
  let none = 0;
  for (let node = 1; node < tree.length; node++) if (tree.total[node] > 0 && tree.time.total[node] === 0) none++;
  if (none === 0) return [];
  const why = clock.unit === 'ns' ? 'took less than the clock can tell' : `took no ${clock.unit}`;
  return [`${counted(none, 'frame')} ${none === 1 ? 'has' : 'have'} no width: ${none === 1 ? 'it' : 'they'} ${why}.`];
}

/** @param {Shown} shown */
export function histogramNotes({ snapshot }) {
  const { nodesDropped } = snapshot;
  return nodesDropped > 0n ? [`${counted(nodesDropped, 'call is', 'calls are')} not in the tree: it was full.`] : [];
}
