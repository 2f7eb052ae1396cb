// Which reports a program of several threads gets. Each thread has an instance, and so a session, of its own. Trees and
// histograms of one module are added up; logs are not, since nothing tells in which order two threads ran.

import { Session } from './session.js';

/** @typedef {import('../views/report.js').ReportKind} ReportKind */

/** @type {ReadonlySet<ReportKind>} */
const ADDED_UP = new Set(['tree', 'histogram']);

/**
 * @typedef {object} ReportSection
 * @property {Session} session
 * @property {ReportKind} [kind] left out: all that the session shows
 */

/**
 * @param {readonly Session[]} sessions
 * @param {ReportKind} [kind]
 * @returns {ReportSection[]} in the order in which the modules came
 */
export function reportSections(sessions, kind) {
  return groupByModule(sessions).flatMap((group) => (hasThreads(group) ? threadSections(group, kind) : group.map((session) => ({ session, kind }))));
}

/**
 * One session for each module that ran in several threads; the others as they are.
 * @param {readonly Session[]} sessions
 * @returns {{session: Session, parts: readonly Session[]}[]}
 */
export function addUpThreads(sessions) {
  return groupByModule(sessions).flatMap((group) =>
    hasThreads(group) ? [{ session: Session.total(group), parts: group }] : group.map((session) => ({ session, parts: [session] })),
  );
}

/** @param {readonly Session[]} group @param {ReportKind} [kind] @returns {ReportSection[]} */
function threadSections(group, kind) {
  const kinds = kind === undefined ? group[0].kinds : [kind];
  const total = kinds.some((one) => ADDED_UP.has(one)) ? Session.total(group) : null;
  return kinds.flatMap((one) => (total && ADDED_UP.has(one) ? [total] : group).map((session) => ({ session, kind: one })));
}

/** @param {readonly Session[]} sessions @returns {Session[][]} */
function groupByModule(sessions) {
  const groups = new Map();
  for (const session of sessions) {
    const group = groups.get(session.facts);
    if (group) group.push(session);
    else groups.set(session.facts, [session]);
  }
  return [...groups.values()];
}

/** @param {readonly Session[]} group */
function hasThreads(group) {
  return group.some(({ thread }) => thread !== group[0].thread);
}
