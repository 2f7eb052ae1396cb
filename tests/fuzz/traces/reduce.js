// The smallest case that still shows a disagreement: takes things away one by one for as long as the kind stays the same.

/**
 * @import {Case} from './check.js'
 * @import {Program} from './program.js'
 */

/** All lists of statements in a program. @param {any} node @returns {any[][]} */
function lists(node) {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(lists);
  return Object.entries(node).flatMap(([key, value]) => [...(key === 'body' || key === 'main' || key === 'catches' ? [value] : []), ...lists(value)]);
}

/** Changes that make a program smaller; each gets a copy of its own. @param {Program} program @returns {((copy: any) => void)[]} */
function removals(program) {
  const ofLists = lists(program).flatMap((list, i) => {
    const single = list.flatMap((statement, k) => [
      (/** @type {any} */ copy) => lists(copy)[i].splice(k, 1),
      ...(statement.op && statement.body ? [(/** @type {any} */ copy) => lists(copy)[i].splice(k, 1, ...statement.body)] : []),
      ...(statement.when ? [(/** @type {any} */ copy) => delete lists(copy)[i][k].when] : []),
    ]);
    return list.length > 2 ? [(/** @type {any} */ copy) => lists(copy)[i].splice(0, list.length >> 1), ...single] : single;
  });
  const ofTables = program.tables.flatMap(({ elements, imported, exported }, i) => [
    ...elements.flatMap((callee, k) => (callee === null ? [] : [(/** @type {any} */ copy) => (copy.tables[i].elements[k] = null)])),
    ...(imported ? [(/** @type {any} */ copy) => (copy.tables[i].imported = false)] : []),
    ...(exported ? [(/** @type {any} */ copy) => (copy.tables[i].exported = false)] : []),
  ]);
  const ofFunctions = program.functions.flatMap(({ exported }, i) => (exported ? [(/** @type {any} */ copy) => (copy.functions[i].exported = false)] : []));
  const start = program.start === null ? [] : [(/** @type {any} */ copy) => (copy.start = null)];
  return [...ofLists, ...ofTables, ...ofFunctions, ...start];
}

/** @param {Case} one @param {(one: Case) => boolean} isSame @returns {Case | null} */
function smaller({ program, plan }, isSame) {
  for (const remove of removals(program)) {
    const copy = structuredClone(program);
    remove(copy);
    if (isSame({ program: copy, plan })) return { program: copy, plan };
  }
  return null;
}

/** @param {Case} one @param {(one: Case) => boolean} isSame whether a case still shows what it is about @returns {Case} */
export function reduce(one, isSame) {
  for (let next = smaller(one, isSame); next; next = smaller(one, isSame)) one = next;
  return one;
}
