// Which reports a program of several threads gets. Each thread has an instance, and so a session, of its own. Trees and
// histograms of one module are added up; logs are not, since nothing tells in which order two threads ran, nor are trees that
// are made of logs.

import { isAddedUp } from '../views/report-kinds.js';
import { Session } from './session.js';

/** @typedef {import('../views/report.js').ReportKind} ReportKind */

/**
 * @typedef {object} ReportSection
 * @property {Session} session
 * @property {ReportKind} [kind] left out: all that the session shows
 */

/**
 * @param {readonly Session[]} sessions
 * @param {ReportKind} [kind]
 * @returns {ReportSection[]}
 */
export function reportSections(sessions, kind) {
  return groupThreads(sessions).flatMap((group) => (group.length > 1 ? threadSections(group, kind) : [{ session: group[0], kind }]));
}

/**
 * One session for each module that ran in several threads; the others as they are.
 * @param {readonly Session[]} sessions
 * @returns {{session: Session, parts: readonly Session[]}[]}
 */
export function addUpThreads(sessions) {
  return groupThreads(sessions).map((parts) => ({ session: parts.length > 1 ? Session.total(parts) : parts[0], parts }));
}

/**
 * A session as the overview and the JSON report take it.
 * @param {Session} session
 * @param {readonly {session: Session, trap: import('../views/trap.js').Trap}[]} traps of the program
 * @param {readonly Session[]} [parts] that it is made of
 * @returns {import('../views/overview.js').OverviewSession}
 */
export function overviewInput(session, traps, parts = [session]) {
  const { name, metadata, names, clock, cost } = session;
  const memory = parts.map((part) => part.memory).find((one) => one !== null) ?? null;
  const own = traps.filter((one) => parts.includes(one.session)).map(({ trap }) => trap);
  return { name, metadata, names, memory, snapshot: session.snapshot(), clock, cost, traps: own };
}

/** @param {readonly Session[]} group @param {ReportKind} [kind] @returns {ReportSection[]} */
function threadSections(group, kind) {
  const kinds = kind === undefined ? group[0].kinds : [kind];
  const isSum = (/** @type {ReportKind} */ one) => isAddedUp(one, group[0].metadata);
  const total = kinds.some(isSum) ? Session.total(group) : null;
  return kinds.flatMap((one) => (total && isSum(one) ? [total] : group).map((session) => ({ session, kind: one })));
}

/**
 * Sessions of a module that ran in several threads, together where the first of them is; each other session for itself.
 * @param {readonly Session[]} sessions
 * @returns {Session[][]}
 */
function groupThreads(sessions) {
  /** @type {Map<Session['facts'], {parts: Session[], isThreaded: boolean}>} */
  const modules = new Map();
  for (const session of sessions) {
    const module = modules.get(session.facts) ?? { parts: [], isThreaded: false };
    module.parts.push(session);
    module.isThreaded ||= session.thread !== module.parts[0].thread;
    modules.set(session.facts, module);
  }
  return sessions.flatMap((session) => {
    const { parts, isThreaded } = /** @type {{parts: Session[], isThreaded: boolean}} */ (modules.get(session.facts));
    if (!isThreaded) return [[session]];
    return parts[0] === session ? [parts] : [];
  });
}
