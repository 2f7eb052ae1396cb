// The custom section, byte by byte, and what must not be read from damaged ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originalOffset, parseMetadata } from '../../js/trace/metadata.js';

function leb(value) {
  const bytes = [];
  do {
    const more = value > 0x7f;
    bytes.push((value % 128) | (more ? 0x80 : 0));
    value = Math.floor(value / 128);
  } while (value > 0);
  return bytes;
}

const text = (string) => [...leb(string.length), ...Buffer.from(string)];
const vec = (...items) => [...leb(items.length), ...items.flat()];
const subsection = (id, ...content) => [id, ...leb(content.flat().length), ...content.flat()];
const section = (...subsections) => Uint8Array.from([1, ...subsections.flat()]);

const I32 = 0x7f;
const V128 = 0x7b;
const FUNCREF = 0x70;

const EVERYTHING = section(
  subsection(0, leb(0b110111), leb(3), leb(620000), leb(58_600_000), leb(412), leb(7)),
  subsection(1, vec(text('calls'), text('arg(0, malloc)')), vec(text('tree'))),
  subsection(2, vec([0x57], [0x54], [0x52], [0x31]), leb(300)),
  subsection(3, vec([...leb(300), 0b1111, ...vec([0, I32], [2, FUNCREF]), ...vec([V128])], [...leb(5), 8])),
  subsection(4, vec([...leb(300), 0, 1, I32], [...leb(300), 1, 0, V128], [0, 2, 0, 0x7e])),
  subsection(5, vec([...leb(300), ...text('malloc')])),
  subsection(99, [1, 2, 3]),
  subsection(6, vec([...leb(1000), 2, 5], [...leb(100), 0, 20])),
  subsection(7, vec(text('put'), text('event'))),
  subsection(9, 4, 4, text('wasi_snapshot_preview1.clock_time_get'), text('')),
  subsection(10, vec(leb(300), [5])),
);

test('every subsection', () => {
  const metadata = parseMetadata(EVERYTHING);
  const { config, codeMap, ...rest } = metadata;
  assert.deepEqual([...config], [0x57, 0x54, 0x52, 0x31]);
  assert.deepEqual([...codeMap], [1002, 1000, 1005, 1102, 1105, 1125]);
  assert.deepEqual(rest, {
    version: 1,
    split: true,
    tree: true,
    ring: true,
    deferredStart: false,
    onlyGate: true,
    stacks: true,
    heap: false,
    importCount: 3,
    functionCount: 620000,
    originalSize: 58_600_000,
    tracedCount: 412,
    tinyCount: 7,
    trace: ['calls', 'arg(0, malloc)'],
    display: ['tree'],
    clock: { kind: 'import', name: 'wasi_snapshot_preview1.clock_time_get', unit: 'ns', wall: false, weights: '' },
    durations: [300, 5],
    pages: 300,
    probes: new Map([
      [
        300,
        {
          calls: true,
          args: [
            { index: 0, type: 'i32' },
            { index: 2, type: 'funcref' },
          ],
          results: ['v128'],
          stack: true,
        },
      ],
      [5, { calls: false, args: null, results: null, stack: true }],
    ]),
    histograms: [
      { func: 300, what: 'arg', index: 1, type: 'i32' },
      { func: 300, what: 'ret', index: 0, type: 'v128' },
      { func: 0, what: 'grow', index: 0, type: 'i64' },
    ],
    names: new Map([[300, 'malloc']]),
    entries: ['put', 'event'],
    shims: new Map(),
  });
});

test('offsets of the instrumented file in the original one', () => {
  const metadata = parseMetadata(EVERYTHING);
  // [0, 1000) as it was; 1000..1002 became 1000..1005; 1002..1102 is at 1005..1105; then 20 new bytes.
  const rows = [
    [0, 0],
    [999, 999],
    [1000, 1000],
    [1004, 1000],
    [1005, 1002],
    [1104, 1101],
    [1105, null],
    [1124, null],
    [1125, 1102],
    [5000, 4977],
  ];
  for (const [now, original] of rows) assert.equal(originalOffset(metadata, now), original, `byte ${now}`);
  assert.equal(originalOffset(parseMetadata(section()), 77), 77);
});

test('an empty section has nothing', () => {
  const { probes, trace, codeMap } = parseMetadata(section());
  assert.deepEqual([probes.size, trace, codeMap.length], [0, [], 0]);
});

const BAD = [
  [[], /unexpected end/, 0],
  [[2], /format version 2/, 0],
  [[1, 0], /unexpected end/, 2],
  [[1, 0, 5, 0], /a count of 5 in 1 bytes/, 2],
  [[1, 0, 0x80], /unexpected end/, 3],
  [[1, 0, 0xff, 0xff, 0xff, 0xff, 0x7f], /more than 32 bits/, 2],
  [[1, ...subsection(0, [0, 0, 0, 0, 0, 0, 9])], /1 bytes too many in the subsection "module"/, 9],
  [[1, ...subsection(1, [200])], /unexpected end/, 4],
  [[1, ...subsection(1, [9])], /a count of 9 in 0 bytes/, 3],
  [[1, ...subsection(2, [3, 1, 2])], /a count of 3 in 2 bytes/, 3],
  [[1, ...subsection(3, vec([7, 2, ...vec([0, 0x40])]))], /unknown value type 0x40/, 8],
  [[1, ...subsection(4, vec([7, 3, 0, I32]))], /a histogram of kind 3/, 5],
  [[1, ...subsection(6, vec([...leb(0xffffffff), 1, 0]))], /more than 32 bits/, 11],
];

test('damaged sections are errors with their offset', () => {
  for (const [bytes, message, offset] of BAD) {
    assert.throws(
      () => parseMetadata(Uint8Array.from(bytes)),
      (error) => {
        assert.match(error.message, message);
        assert.deepEqual(
          { name: error.name, code: error.code, offset: error.offset },
          { name: 'TraceError', code: 'metadata', offset },
        );
        return true;
      },
      String(bytes),
    );
  }
});

test('a section that ends anywhere is an error or a shorter section, never a crash', () => {
  for (let size = 0; size < EVERYTHING.length; size++) {
    try {
      parseMetadata(EVERYTHING.subarray(0, size));
    } catch (error) {
      assert.equal(error.name, 'TraceError', `${size} bytes`);
    }
  }
});
