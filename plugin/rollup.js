// Rollup and Rolldown, and what Vite has in common with them: entries import the page script first, and modules are read
// from rewritten copies.

import path from 'node:path';

import { RewrittenFiles, isModuleFile, rewriteBytes } from './modules.js';
import { PAGE_MODULE, VIRTUAL_MODULE, pageModule, startModule } from './page-script.js';
import { injects, pageQuestion } from './settings.js';

/** @typedef {import('./settings.js').Settings} Settings */

/** By the zero, other plugins know that it is no file. */
const RESOLVED_VIRTUAL = `\0${VIRTUAL_MODULE}`;

/** @param {Settings} settings @returns {Record<string, unknown>} hooks */
export function rollupHooks(settings) {
  let injecting = false;
  const entry = entryHooks(pageQuestion(settings, settings.instrument), () => injecting);
  const modules = settings.instrument ? moduleHooks(settings, process.cwd()) : null;
  return {
    ...entry,
    ...modules,
    /** @this {any} */
    buildStart() {
      injecting = injects(settings, this.meta.watchMode);
    },
    /** @this {any} @param {string} source @param {string | undefined} importer @param {object} options */
    resolveId(source, importer, options) {
      return entry.resolveId(source) ?? modules?.resolveId.call(this, source, importer, options) ?? null;
    },
  };
}

/**
 * @param {import('./settings.js').Question} question
 * @param {() => boolean} injecting
 */
export function entryHooks(question, injecting) {
  return {
    /** @param {string} source */
    resolveId: (source) => (source === VIRTUAL_MODULE ? RESOLVED_VIRTUAL : null),
    /** @param {string} id */
    load(id) {
      if (id === RESOLVED_VIRTUAL) return startModule(question);
      return path.normalize(id) === PAGE_MODULE ? pageModule() : null;
    },
    /** @this {any} @param {string} code @param {string} id */
    transform(code, id) {
      if (!injecting() || id.startsWith('\0') || id.endsWith('.html') || !this.getModuleInfo(id)?.isEntry) return null;
      // On the line that is there: no line of a source map moves.
      return { code: `import ${JSON.stringify(VIRTUAL_MODULE)};${code}`, map: null };
    },
  };
}

/** @param {Settings} settings @param {string} root folder of the project */
export function moduleHooks({ question }, root) {
  const files = new RewrittenFiles(question, root);
  return {
    files,
    /** @this {any} @param {string} source @param {string | undefined} importer @param {object} options */
    async resolveId(source, importer, options) {
      if (!isModuleFile(source)) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (!resolved || resolved.external) return resolved;
      return { ...resolved, id: files.redirect(resolved.id, this) };
    },
    /** @this {any} @param {string} file */
    watchChange(file) {
      files.update(file, this);
    },
    /**
     * What other plugins have put into the bundle without asking where it is.
     * @this {any} @param {unknown} _ @param {Record<string, any>} bundle
     */
    generateBundle(_, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type !== 'asset' || !isModuleFile(asset.fileName) || typeof asset.source === 'string') continue;
        const { bytes, warnings } = rewriteBytes(path.basename(asset.fileName), asset.source, question);
        for (const warning of warnings) this.warn(warning);
        if (bytes !== asset.source) asset.source = bytes;
      }
    },
  };
}
