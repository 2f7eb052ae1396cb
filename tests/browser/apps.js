// Real packages in real pages: what each is, and a function that runs in a page and gives back what the package has worked out.
import path from 'node:path';
import { once } from '../../cmake/steps.mjs';
import { root } from '../command.mjs';
import { installFromNpm } from '../npm.mjs';

/**
 * @typedef {object} App
 * @property {string} name
 * @property {string} kind of program
 * @property {readonly string[]} packages
 * @property {string} [script] of the page
 * @property {Record<string, string>} [imports] what its modules mean by names of packages
 * @property {boolean} [isolated] needs SharedArrayBuffer
 * @property {boolean} [slow] in a run of its own, WASM_TRACE_SLOW=1
 * @property {number} modules that are traced at least
 * @property {() => Promise<unknown>} run in the page
 */

/** For all of them, in the page. */
export const SUPPORT = `
  const digest = async (data) => {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  };`;

/** What the functions below find in their page. @type {any} */
const { digest, initSqlJs, esbuild, Vips, loadPyodide } = {};

/** @type {readonly App[]} */
export const apps = [
  {
    name: 'sql.js',
    kind: 'C by Emscripten',
    packages: ['sql.js@1.17.0'],
    script: 'sql.js/dist/sql-wasm.js',
    modules: 1,
    run: async () => {
      const { Database } = await initSqlJs({ locateFile: (file) => `/packages/sql.js/dist/${file}` });
      const db = new Database();
      db.run('CREATE TABLE t(id INTEGER PRIMARY KEY, k INTEGER, v TEXT); CREATE INDEX tk ON t(k)');
      const insert = db.prepare('INSERT INTO t(k, v) VALUES (?, ?)');
      db.run('BEGIN');
      for (let i = 0, x = 12345; i < 2000; i++) {
        x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff;
        insert.run([x % 97, `row-${x >>> 7}`]);
      }
      db.run('COMMIT');
      insert.free();
      const rows = db.exec('SELECT k, count(*) c, max(v), sum(count(*)) OVER (ORDER BY k) FROM t GROUP BY k ORDER BY c DESC, k')[0].values;
      const joined = db.exec('SELECT count(*) FROM t a JOIN t b ON a.k = b.k AND a.id < b.id')[0].values;
      return [rows.length, joined, await digest(JSON.stringify(rows)), await digest(db.export())];
    },
  },
  {
    name: 'loro-crdt',
    kind: 'Rust by wasm-bindgen',
    packages: ['loro-crdt@1.17.1'],
    modules: 1,
    run: async () => {
      const { default: init, LoroDoc } = await import(/** @type {any} */ ('/packages/loro-crdt/web/index.js'));
      await init();
      const docs = [1n, 2n].map((id) => {
        const doc = new LoroDoc();
        doc.setPeerId(id);
        return doc;
      });
      for (let round = 0; round < 10; round++) {
        for (const [i, doc] of docs.entries()) {
          doc.getText('t').insert(0, `${i}-${round} `);
          doc.getMap('m').set(`k${round % 3}`, round * 2 + i);
          doc.getMovableList('l').push(round);
          doc.commit({ timestamp: 1700000000 + round });
        }
        const updates = docs.map((doc) => doc.export({ mode: 'update' }));
        docs.forEach((doc, i) => doc.import(updates[1 - i]));
      }
      const texts = docs.map((doc) => doc.getText('t').toString());
      return [texts[0] === texts[1], texts[0].length, docs[0].opCount(), await digest(JSON.stringify(docs[1].getMap('m').toJSON()))];
    },
  },
  {
    name: 'wasm-vips',
    kind: 'C++ and threads by Emscripten, with side modules',
    packages: ['wasm-vips@0.0.19'],
    script: 'wasm-vips/lib/vips.js',
    isolated: true,
    modules: 2,
    run: async () => {
      const vips = await Vips({ dynamicLibraries: ['vips-resvg.wasm'] });
      vips.concurrency(2);
      const raw = Uint8Array.from({ length: 200 * 150 * 3 }, (_, i) => (i * 7 + (i >> 9) * 13) & 255);
      const image = vips.Image.newFromMemory(raw, 200, 150, 3, 'uchar');
      const turned = image.invert().rot90().flip('horizontal').extractArea(10, 20, 100, 120);
      const png = vips.Image.newFromBuffer(image.writeToBuffer('.png'));
      const svg = vips.Image.svgloadBuffer(new TextEncoder().encode(
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#00f"/></svg>'));
      const outcome = [
        turned.width, await digest(turned.writeToMemory()), (await digest(png.writeToMemory())) === (await digest(raw)), image.avg(),
        await digest(image.median(3).writeToMemory()), svg.getpoint(2, 2),
      ];
      vips.shutdown();
      return outcome;
    },
  },
  {
    name: 'web-tree-sitter',
    kind: 'C by Emscripten, grammars are side modules',
    packages: ['web-tree-sitter@0.27.2', 'tree-sitter-json@0.24.8', 'tree-sitter-bash@0.25.1'],
    modules: 3,
    run: async () => {
      const { Parser, Language } = await import(/** @type {any} */ ('/packages/web-tree-sitter/web-tree-sitter.js'));
      await Parser.init();
      const outcome = [];
      for (const [name, source] of [
        ['json', JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ id: i, tags: ['a', null, i / 3], deep: { x: [[i]] } })))],
        ['bash', Array.from({ length: 20 }, (_, i) => `f${i}() { [[ -n $x ]] && echo "\${x:-none}" | sort -u > out${i}; }\n`).join('')],
      ]) {
        const parser = new Parser();
        parser.setLanguage(await Language.load(`/packages/tree-sitter-${name}/tree-sitter-${name}.wasm`));
        const { rootNode } = parser.parse(source);
        outcome.push(rootNode.descendantCount, rootNode.hasError, await digest(rootNode.toString()));
      }
      return outcome;
    },
  },
  {
    name: 'esbuild-wasm',
    kind: 'Go, in a worker made from a blob',
    packages: ['esbuild-wasm@0.28.2'],
    script: 'esbuild-wasm/lib/browser.min.js',
    modules: 1,
    run: async () => {
      await esbuild.initialize({ wasmURL: '/packages/esbuild-wasm/esbuild.wasm' });
      const source = Array.from({ length: 20 }, (_, i) => `export enum E${i} { A = ${i}, B }\nexport class C${i}<T> { #p = ${i}; get v(): number { return this.#p ?? E${i}.B } }\n`);
      const { code, map } = await esbuild.transform(source.join(''), { loader: 'ts', target: 'es2019', minify: true, sourcemap: true });
      const failed = await esbuild.transform('let 5;').catch(({ errors }) => errors.map(({ text }) => text));
      return [code.length, await digest(code), await digest(map), failed];
    },
  },
  {
    name: 'MoonBit',
    kind: 'a compiler in a worker, and the GC module that it makes',
    packages: ['@moonbit/moonc-worker@0.1.202605123+bbe2b338f'],
    modules: 1,
    run: async () => {
      const worker = new Worker('/packages/@moonbit/moonc-worker/moonc-worker.js');
      const call = (name, value) => new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.type === 'RAW' ? resolve(data.value) : reject(new Error(JSON.stringify(data).slice(0, 300))));
        worker.postMessage({ id: name, type: 'APPLY', path: [name], argumentList: [{ type: 'RAW', value }] });
      });
      const source = `
fn add(a : Int, b : Int) -> Int = "%i32_add"
fn sub(a : Int, b : Int) -> Int = "%i32_sub"
fn is_neg(a : Int) -> Bool = "%i32_is_neg"
fn lt(a : Int, b : Int) -> Bool { is_neg(sub(a, b)) }
enum Tree {
  Leaf
  Node(Tree, Int, Tree)
}
fn insert(t : Tree, k : Int) -> Tree {
  match t {
    Leaf => Node(Leaf, k, Leaf)
    Node(l, v, r) => if lt(k, v) { Node(insert(l, k), v, r) } else if lt(v, k) { Node(l, v, insert(r, k)) } else { t }
  }
}
fn sum(t : Tree, f : (Int) -> Int) -> Int {
  match t {
    Leaf => 0
    Node(l, v, r) => add(add(sum(l, f), f(v)), sum(r, f))
  }
}
pub fn run(n : Int) -> Int {
  let mut t = Leaf
  let mut i = 0
  while lt(i, n) {
    t = insert(t, sub(n, i))
    i = add(i, 1)
  }
  let k = 3
  sum(t, fn(v) { add(v, k) })
}
fn main {
  let _ = run(10)
}
`;
      const built = await call('buildPackage', {
        mbtFiles: [['main.mbt', source]], miFiles: [], indirectImportMiFiles: [], stdMiFiles: [], target: 'wasm-gc', pkg: 'demo/main',
        pkgSources: ['demo/main:main:/'], isMain: true, errorFormat: 'human', enableValueTracing: false, noOpt: false,
      });
      const { result } = await call('linkCore', {
        coreFiles: [built.core], main: 'demo/main', pkgSources: ['demo/main:main:/'], target: 'wasm-gc', exportedFunctions: ['run'],
        outputFormat: 'wasm', testMode: false, debug: true, noOpt: false, sourceMap: false, sources: {}, stopOnMain: false,
      });
      const { instance } = await WebAssembly.instantiate(result, { spectest: { print_char() {} } });
      const exports = /** @type {any} */ (instance.exports);
      exports._start?.();
      worker.terminate();
      return [result.length, exports.run(50)];
    },
  },
  {
    name: 'pyodide',
    kind: 'CPython, a dynamically linking main module',
    packages: ['pyodide@314.0.7'],
    script: 'pyodide/pyodide.js',
    slow: true,
    modules: 1,
    run: async () => {
      const py = await loadPyodide({ indexURL: '/packages/pyodide/' });
      return py.runPython(`
import hashlib, json, decimal
decimal.getcontext().prec = 60
def thrower(d):
    if d == 0: raise ValueError('deep')
    thrower(d - 1)
try: thrower(30)
except ValueError as e: caught = str(e)
json.dumps([sum(i * i for i in range(1000)), str(decimal.Decimal(2).sqrt()), hashlib.sha256(b'x' * 1000).hexdigest(), caught])`);
    },
  },
  {
    name: 'duckdb-wasm',
    kind: 'C++ by Emscripten in a worker, with some 75,000 exports',
    packages: ['@duckdb/duckdb-wasm@1.32.0'],
    imports: {
      'apache-arrow': '/packages/apache-arrow/Arrow.dom.mjs',
      flatbuffers: '/packages/flatbuffers/mjs/flatbuffers.js',
      tslib: '/packages/tslib/tslib.es6.mjs',
    },
    slow: true,
    modules: 1,
    run: async () => {
      const dist = '/packages/@duckdb/duckdb-wasm/dist';
      const duckdb = await import(/** @type {any} */ (`${dist}/duckdb-browser.mjs`));
      const db = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), new Worker(`${dist}/duckdb-browser-eh.worker.js`));
      await db.instantiate(`${dist}/duckdb-eh.wasm`);
      const connection = await db.connect();
      const table = await connection.query("SELECT i % 7 AS k, count(*)::INT c, sum(i)::VARCHAR s FROM range(1000) t(i) GROUP BY k ORDER BY k");
      const failed = await connection.query('SELECT nope').catch(({ message }) => message.split('\n')[0]);
      return [String(table), failed];
    },
  },
];

/** Installs what an app needs, once. @param {App} app @returns {string} the folder with its packages */
export function installApp({ name, packages }) {
  const prefix = path.join(root, 'build/packages', name);
  once(path.join(prefix, '.installed'), packages, () => installFromNpm(prefix, packages));
  return path.join(prefix, 'node_modules');
}
