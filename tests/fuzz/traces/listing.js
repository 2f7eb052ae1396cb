// A program in words, for people: what is needed to understand a case.

/**
 * @import {HostStatement, Program, Statement, Value, When} from './program.js'
 * @import {Case} from './check.js'
 */

/** @param {readonly Value[]} values */
const valuesText = (values) => values.map((value) => ('param' in value ? `$${value.param}` : `${value.type} ${value.bits}`)).join(', ');

/** @param {When | undefined} when */
const whenText = (when) => (when ? `when fuel & ${when.mask} = ${when.equals}: ` : '');

/** Names of callees: function indices, as in the trace. @param {Program} program */
const indexOf = ({ imports, recorder }) => (/** @type {number | null} */ callee) =>
  callee === null ? 'null' : callee < imports.length || recorder === 'memory' ? `#${callee}` : `#${callee + 1}`;

/** @param {any} statement @param {(callee: number | null) => string} index @returns {string} */
function statementText(statement, index) {
  const tail = statement.tail ? 'tail ' : '';
  switch (statement.op) {
    case 'call': return `${tail}call ${statement.how ?? ''} ${index(statement.callee)}(${valuesText(statement.args)})${statement.pass ? ' (passes what it throws)' : ''}`;
    case 'indirect': return `${tail}call_indirect table ${statement.table} [${statement.index}] as type ${statement.type} (${valuesText(statement.args)})`;
    case 'element': return `call table ${statement.table} [${statement.index}](${valuesText(statement.args)})${statement.pass ? ' (passes what it throws)' : ''}`;
    case 'throw': return `throw ${statement.tag === null ? 'an error' : `tag ${statement.tag}`}`;
    case 'trap': return `trap: ${statement.kind}`;
    case 'exit': return `exit by ${statement.how}`;
    case 'grow': return `memory.grow ${statement.delta}`;
    case 'set': return `table.set ${statement.table} [${statement.index}] = ${index(statement.callee)}`;
    case 'loop': return `loop ${statement.count} times`;
    case 'delegate': return `try, delegate ${statement.outward} outward`;
    default: return statement.op;
  }
}

/** @param {readonly any[]} list @param {(callee: number | null) => string} index @param {string} space @returns {string[]} */
function listing(list, index, space) {
  return list.flatMap((statement) => [
    `${space}${whenText(statement.when)}${statementText(statement, index)}`,
    ...listing(statement.body ?? [], index, `${space}  `),
    ...(statement.catches ?? []).flatMap((/** @type {any} */ one) => [
      `${space}catch ${one.tag ?? 'all'}${one.ref ? ' ref' : ''}${one.toFunction ? ' to the function label' : ''}${one.again ? ' (throws it on)' : ''}`,
      ...listing(one.body, index, `${space}  `),
    ]),
  ]);
}

/** @param {Case} one */
export function caseText({ program, plan: { options } }) {
  const index = indexOf(program);
  const callee = (/** @type {{body: any[], exported: boolean}} */ { body, exported }, /** @type {number} */ number, /** @type {string} */ kind) => [
    `${kind} ${index(number)}${exported ? ', exported' : ''}`,
    ...listing(body, index, '  '),
  ];
  return [
    JSON.stringify(options),
    `exceptions: ${program.exceptions}; recorder: ${program.recorder}${program.start === null ? '' : `; start ${index(program.start)}`}`,
    ...program.tables.map(({ imported, exported, elements }, i) => `table ${i}${imported ? ', imported' : ''}${exported ? ', exported' : ''}: ${elements.map(index).join(' ')}`),
    ...program.imports.flatMap((one, i) => callee(one, i, 'import')),
    ...program.functions.flatMap((one, i) => callee(one, program.imports.length + i, 'function')),
    'main',
    ...listing(program.main, index, '  '),
  ].join('\n');
}
