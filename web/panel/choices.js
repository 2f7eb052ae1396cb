// What can be looked at: every session, and where a module ran in several threads or instances, all of them added up.
import { mergeSnapshots } from '../../js/model/merged-snapshot.js';
import { counted } from '../../js/views/text.js';

/** @import {PanelSession} from './source.js' */

/**
 * @typedef {object} Choice
 * @property {string} id
 * @property {string} text
 * @property {readonly PanelSession[]} sessions one, or those that are added up
 */

/** Sessions of the same module: equal names, equal facts. @param {PanelSession} session */
function moduleKey({ label, metadata }) {
  return `${label}\n${metadata.originalSize}\n${metadata.functionCount}\n${metadata.trace.join('\n')}`;
}

/** @param {readonly PanelSession[]} sessions */
function totalText(sessions) {
  const threads = new Set(sessions.map(({ thread }) => thread)).size;
  return `${sessions[0].label}: all ${counted(sessions.length, 'instance')}${threads > 1 ? ` (${threads} threads)` : ''}`;
}

/** @param {readonly PanelSession[]} sessions @returns {Choice[]} sums before their parts */
export function choicesOf(sessions) {
  const modules = new Map();
  for (const session of sessions) {
    const key = moduleKey(session);
    modules.set(key, [...(modules.get(key) ?? []), session]);
  }
  return [...modules].flatMap(([key, of]) => [
    ...(of.length > 1 ? [{ id: `all ${key}`, text: totalText(of), sessions: of }] : []),
    ...of.map((/** @type {PanelSession} */ session) => ({ id: session.name, text: session.name, sessions: [session] })),
  ]);
}

/** @param {Choice} choice */
export function snapshotOf({ sessions }) {
  return sessions.length === 1 ? sessions[0].snapshot() : mergeSnapshots(sessions.map((session) => session.snapshot()));
}
