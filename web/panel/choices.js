// What can be looked at: every session, and where a module ran in several threads or instances, all of them added up.
import { mergeSnapshots } from '../../js/model/merged-snapshot.js';
import { groupByModule, moduleName, sumKey } from '../../js/views/module-info.js';
import { counted } from '../../js/views/text.js';

/** @import {PanelSession} from './source.js' */

/**
 * @typedef {object} Choice
 * @property {string} id
 * @property {string} text
 * @property {readonly PanelSession[]} sessions one, or those that are added up
 */

/** @param {readonly PanelSession[]} sessions */
function totalText(sessions) {
  const threads = new Set(sessions.map(({ thread }) => thread)).size;
  return `${moduleName(sessions[0])}: all ${counted(sessions.length, 'instance')}${threads > 1 ? ` (${threads} threads)` : ''}`;
}

/** Frames have names of their own, which may be those of others. @returns {(name: string) => string} */
function uniqueNames() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
}

/** @param {readonly PanelSession[]} sessions @returns {Choice[]} sums before their parts */
export function choicesOf(sessions) {
  const unique = uniqueNames();
  return groupByModule(sessions, sumKey).flatMap((of) => {
    const single = of.map((session) => {
      const name = unique(session.name);
      return { id: name, text: name, sessions: [session] };
    });
    return of.length > 1 ? [{ id: `all ${sumKey(of[0])}`, text: totalText(of), sessions: of }, ...single] : single;
  });
}

/** @param {Choice} choice */
export function snapshotOf({ sessions }) {
  return sessions.length === 1 ? sessions[0].snapshot() : mergeSnapshots(sessions.map((session) => session.snapshot()));
}
