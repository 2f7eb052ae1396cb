// Vite: a script tag in front of all others in each page. While developing the dev server has the script; a build puts it
// beside the assets. Entries without a page import it, as Rollup's.

import path from 'node:path';

import { PAGE_FILES, PAGE_FOLDER, PAGE_SCRIPT, readPageFile, tagAttributes } from './page-script.js';
import { entryHooks, moduleHooks } from './rollup.js';
import { announcement, injects, pageQuestion } from './settings.js';

/** @typedef {import('./settings.js').Settings} Settings */

/** Where the dev server has the page script, below its base. */
const DEV_FOLDER = '@wasm-trace';

/** The literal in new URL('./x.wasm', import.meta.url), which Vite resolves by itself. */
const NEW_URL = /(\bnew\s+URL\s*\(\s*)(['"`])(\.{1,2}\/[^'"`$]+\.wasm)\2(?=\s*,\s*import\.meta\.url\b)/g;

/** @param {Settings} settings @returns {Record<string, unknown>} hooks */
export function viteHooks(settings) {
  /** @type {any} */
  let hooks;
  return {
    /** @param {any} config @param {{command: string}} environment */
    config(config, { command }) {
      if (command === 'build' && settings.instrument) addToWorkers(config, settings);
    },
    /** @param {any} config */
    configResolved(config) {
      hooks = config.command === 'build' ? buildHooks(settings, config) : devHooks(settings, config);
    },
    /** @param {any} server */
    configureServer: (server) => hooks.configureServer?.(server),
    // Behind those of other plugins: what comes last in front is first.
    transformIndexHtml: { order: 'post', handler: (/** @type {string} */ _, /** @type {any} */ page) => hooks.pageTags(page) },
    ...Object.fromEntries(['resolveId', 'load', 'transform', 'watchChange'].map((name) => [name, forward(name)])),
    // Vite itself makes the pages in this hook.
    generateBundle: { order: 'post', handler: forward('generateBundle') },
  };

  /** @param {string} name @returns {(this: unknown, ...args: unknown[]) => unknown} */
  function forward(name) {
    return function (...args) {
      return hooks[name]?.apply(this, args);
    };
  }
}

/** @param {Settings} settings @param {any} config */
function devHooks(settings, config) {
  const folder = path.posix.join(config.base, DEV_FOLDER);
  const injecting = injects(settings, true);
  return {
    /** @param {any} server */
    configureServer(server) {
      if (!injecting) return;
      server.middlewares.use(folder, servePageFile);
      const announce = () => config.logger.info(`\n  wasm-trace: ${announcement(settings)}`);
      // As a part of another server it is not told when that one listens.
      if (server.httpServer) server.httpServer.once('listening', announce);
      else announce();
    },
    pageTags: () => (injecting ? [scriptTag(`${folder}/${PAGE_SCRIPT}`, pageQuestion(settings, false))] : []),
  };
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response @param {() => void} next */
function servePageFile(request, response, next) {
  const file = PAGE_FILES.find((name) => request.url?.replace(/[?#].*$/, '') === `/${name}`);
  if (!file) return next();
  response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
  response.setHeader('Cache-Control', 'no-cache');
  response.end(readPageFile(file));
}

/** @param {Settings} settings @param {any} config */
function buildHooks(settings, config) {
  const injecting = injects(settings, false);
  const question = pageQuestion(settings, settings.instrument);
  const entry = entryHooks(question, () => injecting);
  const modules = settings.instrument ? viteModuleHooks(settings, config.root) : null;
  let hasPage = false;
  return {
    ...entry,
    /** @param {{path: string}} page */
    pageTags(page) {
      if (!injecting) return [];
      hasPage = true;
      return [scriptTag(addressInBuild(config.base, page.path), question)];
    },
    /** @this {any} @param {[string, string | undefined, object]} args */
    resolveId(...args) {
      return entry.resolveId(args[0]) ?? modules?.resolveId.apply(this, args) ?? null;
    },
    /** @this {any} @param {string} code @param {string} id */
    transform(code, id) {
      const redirected = modules?.transform.call(this, code, id);
      return entry.transform.call(this, redirected?.code ?? code, id) ?? redirected ?? null;
    },
    /** @this {any} @param {unknown} output @param {Record<string, any>} bundle */
    generateBundle(output, bundle) {
      modules?.generateBundle.call(this, output, bundle);
      if (hasPage) for (const name of PAGE_FILES) emit(this, name);
    },
  };
}

/** Workers are bundled apart, by plugins of their own. @param {any} config @param {Settings} settings */
function addToWorkers(config, settings) {
  const others = config.worker?.plugins;
  const ours = { name: 'wasm-trace', enforce: 'pre', ...viteModuleHooks(settings, path.resolve(config.root ?? '.')) };
  config.worker = { ...config.worker, plugins: () => [...(others?.() ?? []), ours] };
}

/** @param {Settings} settings @param {string} root */
function viteModuleHooks(settings, root) {
  const { files, resolveId, watchChange, generateBundle } = moduleHooks(settings, root);
  return {
    watchChange,
    generateBundle,
    /** @this {any} @param {[string, string | undefined, object]} args */
    resolveId(...args) {
      return isForPages(this) ? resolveId.apply(this, args) : null;
    },
    /** @this {any} @param {string} code @param {string} id @returns {{code: string, map: null} | null} */
    transform(code, id) {
      if (!isForPages(this) || !code.includes('.wasm')) return null;
      const folder = path.dirname(id);
      const replaced = code.replace(NEW_URL, (_, before, quote, url) => {
        const copy = files.redirect(path.resolve(folder, url), this);
        return `${before}${quote}${relativeUrl(folder, copy)}${quote}`;
      });
      return replaced === code ? null : { code: replaced, map: null };
    },
  };
}

/** A build for servers has no page script to attach. @param {any} context */
function isForPages(context) {
  return context.environment?.config.consumer !== 'server';
}

/** @param {string} src @param {import('./settings.js').Question} question */
function scriptTag(src, question) {
  return { tag: 'script', attrs: { src, ...tagAttributes(question) }, injectTo: 'head-prepend' };
}

/** @param {string} base @param {string} page path of it in the build, with a slash in front */
function addressInBuild(base, page) {
  const file = `${PAGE_FOLDER}/${PAGE_SCRIPT}`;
  return base === '' || base === './' ? relativeUrl(path.posix.dirname(page), `/${file}`) : base + file;
}

/** @param {string} folder @param {string} file */
function relativeUrl(folder, file) {
  const relative = path.relative(folder, file).replaceAll('\\', '/');
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** @param {any} context @param {string} name */
function emit(context, name) {
  context.emitFile({ type: 'asset', fileName: `${PAGE_FOLDER}/${name}`, source: readPageFile(name) });
}
