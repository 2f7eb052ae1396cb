// Name sections are data of unknown origin: with garbage, duplicates or enormous names the module is still instrumented, runs
// as before, and its report can be shown. What was readable of the names is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Instrumenter } from '../../js/loader/instrumenter.js';
import { leb } from './assemble.js';
import { SECTION, body, join, list, moduleOf, name, section, sized } from './large-module.js';
import { links, runModule } from './run-module.js';

/** @typedef {import('./large-module.js').Bytes} Bytes */

const FUNCTIONS = 1;
const LOCALS = 2;
const HUGE = 100_000;

/** run() calls answer(); each name section stands behind the code. @param {Bytes[]} sections contents */
const withNames = (...sections) =>
  moduleOf(
    section(SECTION.TYPE, list([[0x60, 0, 1, 0x7f]])),
    section(SECTION.FUNCTION, list([[0], [0]])),
    section(SECTION.EXPORT, list([join(name('go'), [0, 1])])),
    section(SECTION.CODE, list([body([0, 0x41, 42]), body([0, 0x10, 0])])),
    ...sections.map((content) => section(SECTION.CUSTOM, join(name('name'), content))),
  );

/** @param {number} id @param {Bytes} content */
const subsection = (id, content) => join([id], sized(content));

/** @param {[number, string | Bytes][]} names */
const functions = (...names) => subsection(FUNCTIONS, list(names.map(([index, text]) => join(leb(index), name(text)))));

const GOOD = functions([0, 'answer'], [1, 'run']);
const LONG = 'x'.repeat(HUGE);

/** Contents, and the names that functions 0 and 1 are shown by: @type {Record<string, {sections: Bytes[], shown: [string, string]}>} */
const ROWS = {
  'well-formed': { sections: [GOOD], shown: ['answer', 'run'] },
  empty: { sections: [[]], shown: ['wasm-function[0]', 'go'] },
  'an unknown subsection in front': { sections: [join(subsection(99, [1, 2, 3]), GOOD)], shown: ['answer', 'run'] },
  'garbage behind': { sections: [join(GOOD, [0xff, 0xff, 0xff])], shown: ['answer', 'run'] },
  'garbage alone': { sections: [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], shown: ['wasm-function[0]', 'go'] },
  'a subsection longer than the section': { sections: [join([FUNCTIONS], leb(1000), GOOD.subarray(2))], shown: ['answer', 'run'] },
  'a count of 2^32 - 1': { sections: [subsection(FUNCTIONS, [0xff, 0xff, 0xff, 0xff, 0x0f])], shown: ['wasm-function[0]', 'go'] },
  'more names than there are': { sections: [subsection(FUNCTIONS, join([9, 0], name('answer')))], shown: ['answer', 'go'] },
  'a name longer than the section': { sections: [subsection(FUNCTIONS, [2, 0, 3, 97, 98, 99, 1, 0x7f, 97])], shown: ['abc', 'go'] },
  'indices that are no functions': { sections: [functions([0, 'answer'], [1, 'run'], [70_000, 'nobody'], [0xffffffff, 'none'])], shown: ['answer', 'run'] },
  'out of order': { sections: [functions([1, 'run'], [0, 'answer'])], shown: ['answer', 'run'] },
  'the same name twice': { sections: [functions([0, 'twin'], [1, 'twin'])], shown: ['twin', 'twin'] },
  'no UTF-8': { sections: [functions([0, [0xff, 0xfe, 0x80]], [1, 'run'])], shown: ['\ufffd\ufffd\ufffd', 'run'] },
  'control characters': { sections: [functions([0, '\u001b[31m\n'], [1, 'run'])], shown: ['\\x1b[31m\\x0a', 'run'] },
  'empty names': { sections: [functions([0, ''], [1, ''])], shown: ['wasm-function[0]', 'go'] },
  'locals of no function': { sections: [join(GOOD, subsection(LOCALS, [1, 77, 1, 0, 1, 97]))], shown: ['answer', 'run'] },
  'names of 100 KB': { sections: [functions([0, LONG], [1, `_ZN${LONG}E`])], shown: [LONG, `_ZN${LONG}E`] },
  'names of 3 MB': { sections: [functions([0, LONG.repeat(30)], [1, 'run'])], shown: [LONG.repeat(30), 'run'] },
};

for (const [what, { sections, shown }] of Object.entries(ROWS))
  test(`name section: ${what}`, () => {
    const bytes = withNames(...sections);
    for (const link of links) {
      const result = Instrumenter.create().run(bytes, { trace: 'calls(*)', link });
      assert.ok(result.list.length > 0);
      const { results, session } = runModule(result.bytes, ['go()'], { traced: true });
      assert.deepEqual(results, ['go() = 42']);
      assert.deepEqual([session?.names.name(0), session?.names.name(1)], shown);
      assert.match(session?.report('nested') ?? '', /^module\ncall [^]*\n  call [^]*\n  return 42? ?from|^module\ncall /);
    }
  });

test('two function subsections, and two name sections: neither is lost or refused', () => {
  const other = functions([0, 'other'], [1, 'names']);
  for (const sections of [[join(GOOD, other)], [GOOD, other]])
    for (const link of links) {
      const result = Instrumenter.create().run(withNames(...sections), { trace: 'calls(*)', link });
      const { results, session } = runModule(result.bytes, ['go()'], { traced: true });
      assert.deepEqual(results, ['go() = 42']);
      assert.match(String(session?.names.name(0)), /^(answer|other)$/);
    }
});

test('patterns meet names of 100 KB, and show them whole', () => {
  const bytes = withNames(functions([0, LONG], [1, 'run']));
  const result = Instrumenter.create().run(bytes, { trace: 'calls(x*)', link: 'split' });
  assert.match(result.list, new RegExp(`^ +0 +\\d+ {2}x{${HUGE.toString().slice(0, 3)},} {2}\\(calls\\)$`, 'm'));
  assert.throws(() => Instrumenter.create().run(bytes, { trace: `calls(${LONG}y)` }), { code: 'no-match' });
});
