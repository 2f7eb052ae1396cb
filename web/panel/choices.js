// What can be looked at: every session, and where a module ran in several threads or instances, all of them added up.
import { mergeSnapshots } from '../../js/model/merged-snapshot.js';
import { groupByModule, moduleKey } from '../../js/views/module-info.js';
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
  return `${sessions[0].label}: all ${counted(sessions.length, 'instance')}${threads > 1 ? ` (${threads} threads)` : ''}`;
}

/** @param {readonly PanelSession[]} sessions @returns {Choice[]} sums before their parts */
export function choicesOf(sessions) {
  return groupByModule(sessions).flatMap((of) => {
    const single = of.map((session) => ({ id: session.name, text: session.name, sessions: [session] }));
    return of.length > 1 ? [{ id: `all ${moduleKey(of[0])}`, text: totalText(of), sessions: of }, ...single] : single;
  });
}

/** @param {Choice} choice */
export function snapshotOf({ sessions }) {
  return sessions.length === 1 ? sessions[0].snapshot() : mergeSnapshots(sessions.map((session) => session.snapshot()));
}
