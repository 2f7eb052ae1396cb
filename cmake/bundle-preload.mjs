// Makes the preload by esbuild: one CommonJS file, since Node takes longer to find and read more than a hundred modules one by one
// than for all else at the start of a traced program. Names and lines stay, for who reads a stack trace.
//
//   bundle-preload.mjs OUT.cjs DEPFILE
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeDepfile } from './depfile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [out, depfile] = process.argv.slice(2);

/** esbuild plugin: the instrumenter is read when it is needed. As text in the file it would be read always. */
const artifacts = {
  name: 'artifacts',
  setup({ onResolve }) {
    onResolve({ filter: /\/artifacts\.js$/ }, () => ({ path: path.join(root, 'node/artifacts.js') }));
  },
};

/** esbuild plugin: modules find what is beside their sources, and what they `require` late is a part of the file. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      const place = JSON.stringify(`/${path.relative(path.dirname(out), file)}`);
      const source = readFileSync(file, 'utf8').replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
      return { contents: source.replaceAll('import.meta.url', `require('node:url').pathToFileURL(__dirname + ${place}).href`) };
    });
  },
};

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['node/preload.js'],
  plugins: [artifacts, places],
  bundle: true,
  charset: 'ascii', // V8 has twice as much to read of a file with other characters
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
  write: false,
});
const [{ text }] = outputFiles;
const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
rmSync(path.dirname(out), { recursive: true, force: true }); // with the code that node/kept-code.cjs keeps of the file before
mkdirSync(path.dirname(out), { recursive: true });
writeFileSync(out, `// ${hash}\n${text}`);
writeDepfile(depfile, out, Object.keys(metafile.inputs));
