// What a view cannot show, in plain words; each view says what matters to it.
import { counted } from '../../js/views/text.js';

/** @import {Shown} from './shown.js' */

/** @param {Shown} shown */
export function eventNotes(shown) {
  if (shown.isSum || shown.lost === 0) return [];
  if (shown.isCut) return ['Only the newest events are shown while recording; stop to see all that were kept.'];
  return [`${counted(shown.lost, 'older event was', 'older events were')} overwritten: the buffer was full.`];
}

/** @param {Shown} shown */
export function treeNotes(shown) {
  const { snapshot, metadata, model } = shown;
  const notes = model.treeIsWhole ? [] : eventNotes(shown);
  if (snapshot.nodesDropped > 0n)
    notes.push(`${counted(snapshot.nodesDropped, 'call is', 'calls are')} not in the tree: it was full.`);
  if (metadata.tinyCount > 0) notes.push(`${counted(metadata.tinyCount, 'tiny function')} left out.`);
  return notes;
}

/** @param {Shown} shown */
export function histogramNotes({ snapshot }) {
  const { nodesDropped } = snapshot;
  return nodesDropped > 0n ? [`${counted(nodesDropped, 'call is', 'calls are')} not in the tree: it was full.`] : [];
}
