// Puts the hook in the place of the engine's functions, so that a program cannot tell: proxies keep names, lengths,
// statics, `instanceof` and subclassing, and properties keep their descriptors. `validate` is left alone: it is about the
// program's own bytes, and the engine is right about those.

import { isModule } from './bytes.js';
import { originalOf } from './edits.js';
import { natives } from './engine.js';
import { SECTION, traceSection, withoutOurs } from './hidden.js';
import { fileName, isStreamable, responseOf } from './streaming.js';

/** @import {Reversible} from './edits.js' */
/** @typedef {import('./hook.js').Hook} Hook */
/** @typedef {import('./hook.js').Prepared} Prepared */
/** @typedef {{bytes: Uint8Array | null, name?: string, caller?: import('./caller.js').Caller}} Received bytes: null where the engine streams */
/** @typedef {(args: any[]) => any} Native the engine's function, given a list of arguments */

/** What prepare() gives for what the engine is to have as it is. @type {Prepared} */
export const UNTOUCHED = Object.freeze({
  instrumented: null,
  problem: null,
  nameOf: () => undefined,
  withStart: () => null,
  began: 0,
  milliseconds: 0,
});

/**
 * @param {Hook} hook
 * @returns {() => void} undoes it, except where someone else has patched on top
 */
export function patch(hook) {
  const { namespace } = natives;
  if (Object.isFrozen(namespace)) {
    hook.warn('nothing is traced: WebAssembly was frozen before');
    return () => {};
  }
  const undo = [
    replaceConstructor('Module', (args, native) => compileNow(hook, args, native)),
    replaceConstructor('Instance', (args, native) => instantiateNow(hook, args, native)),
    replaceFunction(namespace, 'compile', (args, native) => compile(hook, args, native)),
    replaceFunction(namespace, 'instantiate', (args, native) => instantiate(hook, args, native)),
    replaceFunction(namespace, 'compileStreaming', (args, native) => compileStreaming(hook, args, native)),
    replaceFunction(namespace, 'instantiateStreaming', (args, native) => instantiateStreaming(hook, args, native)),
    replaceFunction(namespace, 'promising', (args, native) => hook.stacks.promising(native(args))),
    replaceProperty(namespace, 'Suspending', {
      construct: (target, [func, ...rest], newTarget) =>
        Reflect.construct(target, [hook.stacks.suspending(func), ...rest], newTarget),
    }),
    replaceFunction(natives.Module, 'exports', listExports),
    replaceFunction(natives.Module, 'customSections', listSections),
  ];
  return () => undo.forEach((one) => one());
}

/** @param {Hook} hook @param {any[]} args @param {Native} native `new WebAssembly.Module` */
function compileNow(hook, args, native) {
  const [source, ...options] = args;
  const prepared = hook.prepare(source);
  if (!prepared.instrumented) {
    const module = native(args);
    hook.passed(module, prepared);
    return module;
  }
  try {
    const began = performance.now();
    const module = native([prepared.instrumented.bytes, ...options]);
    hook.spent(prepared.nameOf(), 'compile', began);
    hook.compiled(module, prepared, options);
    return module;
  } catch (error) {
    const module = native([original(prepared), ...options]);
    hook.refused(error);
    return module;
  }
}

/** @param {Hook} hook @param {any[]} args @param {Native} native `new WebAssembly.Instance` */
function instantiateNow(hook, args, native) {
  const [module, ...imports] = args;
  const plain = isModule(module) ? hook.originalWhenFull(module) : null;
  if (plain) return native([new natives.Module(.../** @type {[any]} */ (plain)), ...imports]);
  if (isModule(module) && imports.length > 0) args = [module, hook.importsOf(imports[0], module)];
  const began = performance.now();
  let instance;
  try {
    instance = native(args);
  } catch (error) {
    const bytes = isModule(module) && hook.withoutOurs(error, module);
    if (!bytes) throw error;
    return native([compileOr(error, bytes), ...imports]);
  }
  hook.spent(hook.nameOf(module), 'instantiate', began);
  hook.adopt(instance, module);
  return instance;
}

/** @param {unknown} error what the program is to get if this fails too @param {unknown[]} args of the engine's constructor */
function compileOr(error, args) {
  try {
    return new natives.Module(.../** @type {[any]} */ (args));
  } catch {
    throw error;
  }
}

/** @param {Hook} hook @param {any[]} args @param {Native} native */
async function compile(hook, args, native) {
  const [source, ...options] = args;
  return compilePrepared(hook, hook.prepare(source), options, native, () => native(args));
}

/**
 * @param {Hook} hook
 * @param {Prepared} prepared
 * @param {any[]} options behind the bytes
 * @param {Native} native what to compile the original with, given bytes
 * @param {() => any} untouched the engine's own way, when nothing was instrumented
 */
async function compilePrepared(hook, prepared, options, native, untouched) {
  if (!prepared.instrumented) {
    const made = await untouched();
    hook.passed(made, prepared);
    return made;
  }
  const attempt = await compileInstrumented(hook, prepared, options);
  if (attempt.module) return attempt.module;
  const made = await native([original(prepared), ...options]);
  hook.refused(attempt.error);
  return made;
}

/** @param {Hook} hook @param {Prepared} prepared @param {any[]} options */
async function compileInstrumented(hook, prepared, options) {
  const { bytes } = /** @type {Reversible} */ (prepared.instrumented);
  try {
    const began = performance.now();
    const module = await Reflect.apply(natives.compile, natives.namespace, [bytes, ...options]);
    hook.spent(prepared.nameOf(), 'compile', began);
    hook.compiled(module, prepared, options);
    return { module, error: null };
  } catch (error) {
    return { module: null, error };
  }
}

/** Of bytes or of a module. @param {Hook} hook @param {any[]} args @param {Native} native */
async function instantiate(hook, args, native) {
  const [source, imports, ...options] = args;
  if (isModule(source)) return instantiateModule(hook, args, native);
  const prepared = isImportObject(imports) ? hook.prepare(source, { deferStart: true }) : UNTOUCHED;
  return instantiatePrepared(hook, prepared, imports, options, native, () => native(args));
}

/**
 * The engine compiles and instantiates in one step; in two, a failure of the first is known to be one.
 * @param {Hook} hook
 * @param {Prepared} prepared
 * @param {any} imports
 * @param {any[]} options
 * @param {Native} native
 * @param {() => any} untouched
 */
async function instantiatePrepared(hook, prepared, imports, options, native, untouched) {
  const attempt = prepared.instrumented ? await compileInstrumented(hook, prepared, options) : null;
  if (attempt?.module) {
    const nativeInstantiate = (/** @type {any[]} */ args) => Reflect.apply(natives.instantiate, natives.namespace, args);
    const instance = await instantiateModule(hook, [attempt.module, imports], nativeInstantiate);
    const kept = hook.keepable(attempt.module, prepared);
    return { module: (kept && (await compileInstrumented(hook, kept, options)).module) ?? attempt.module, instance };
  }
  const made = await (attempt ? native([original(prepared), imports, ...options]) : untouched());
  if (attempt) hook.refused(attempt.error);
  else hook.passed(made.module, prepared);
  hook.adopt(made.instance, made.module);
  return made;
}

/** @param {Hook} hook @param {any[]} args a module first @param {Native} native */
async function instantiateModule(hook, args, native) {
  const [module, ...imports] = args;
  const original = hook.originalWhenFull(module);
  if (original) return native([await Reflect.apply(natives.compile, natives.namespace, original), ...imports]);
  if (imports.length > 0) args = [module, hook.importsOf(imports[0], module)];
  const began = performance.now();
  let instance;
  try {
    instance = await native(args);
  } catch (error) {
    const plain = hook.withoutOurs(error, module);
    if (!plain) throw error;
    return native([await Reflect.apply(natives.compile, natives.namespace, plain), ...imports]);
  }
  hook.spent(hook.nameOf(module), 'instantiate', began);
  hook.adopt(instance, module);
  return instance;
}

/** @param {Hook} hook @param {any[]} args @param {Native} native */
async function compileStreaming(hook, args, native) {
  const source = await receive(hook, args);
  if (!source) return native(args);
  const [, ...options] = args;
  const prepared = prepareReceived(hook, source);
  const stream = (/** @type {any[]} */ [bytes, ...rest]) => native([responseOf(bytes), ...rest]);
  const untouched = source.bytes ? () => stream([source.bytes, ...options]) : () => native(args);
  return compilePrepared(hook, prepared, options, stream, untouched);
}

/** @param {Hook} hook @param {any[]} args @param {Native} native */
async function instantiateStreaming(hook, args, native) {
  const source = await receive(hook, args);
  const [, imports, ...options] = args;
  const stream = (/** @type {any[]} */ [bytes, ...rest]) => native([responseOf(bytes), ...rest]);
  const untouched = source?.bytes ? () => stream([source.bytes, imports, ...options]) : () => native(args);
  const prepared = source && isImportObject(imports) ? prepareReceived(hook, source, true) : UNTOUCHED;
  return instantiatePrepared(hook, prepared, imports, options, stream, untouched);
}

/**
 * What is known of a response that the engine would accept; null when the engine is to have it. A promise is put back into
 * `args` as what it came to, so that it is waited for once.
 * @param {Hook} hook
 * @param {any[]} args
 * @returns {Promise<Received | null>}
 */
async function receive(hook, args) {
  if (args.length === 0) return null;
  const caller = hook.findCaller();
  args[0] = await args[0];
  if (caller?.internal || !isStreamable(args[0])) return null;
  const { url } = args[0];
  const bytes = hook.instruments ? new Uint8Array(await args[0].arrayBuffer()) : null;
  return { bytes, name: fileName(url), caller };
}

/** @param {Hook} hook @param {Received} source @param {boolean} [deferStart] @returns {Prepared} */
function prepareReceived(hook, source, deferStart = false) {
  const { bytes, name } = source;
  return bytes ? hook.prepare(bytes, { ...source, deferStart }) : { ...UNTOUCHED, nameOf: () => name };
}

/** The engine complains of anything else before it compiles. @param {unknown} imports */
function isImportObject(imports) {
  return imports === undefined || (typeof imports === 'object' && imports !== null) || typeof imports === 'function';
}

/** @param {Prepared} prepared an instrumented one @returns {Uint8Array} */
function original({ instrumented }) {
  return originalOf(/** @type {Reversible} */ (instrumented));
}

/** @param {any[]} args @param {Native} native WebAssembly.Module.exports */
function listExports(args, native) {
  const all = native(args);
  const visible = withoutOurs(all);
  return visible.length < all.length && traceSection(args[0]) ? visible : all;
}

/** @param {any[]} args @param {Native} native WebAssembly.Module.customSections */
function listSections(args, native) {
  const sections = native(args);
  return sections.length > 0 && String(args[1]) === SECTION ? [] : sections;
}

/**
 * @param {any} owner
 * @param {string} name
 * @param {(args: any[], native: Native) => any} run
 */
function replaceFunction(owner, name, run) {
  return replaceProperty(owner, name, {
    apply: (/** @type {any} */ target, /** @type {any} */ self, /** @type {any[]} */ args) =>
      run(args, (list) => Reflect.apply(target, self, list)),
  });
}

/** @param {'Module' | 'Instance'} name @param {(args: any[], native: Native) => any} run */
function replaceConstructor(name, run) {
  const { namespace } = natives;
  const { prototype } = natives[name];
  const undoConstructor = replaceProperty(namespace, name, {
    construct: (/** @type {any} */ target, /** @type {any[]} */ args, /** @type {any} */ newTarget) =>
      run(args, (list) => Reflect.construct(target, list, newTarget)),
  });
  const undoPrototype = setProperty(prototype, 'constructor', namespace[name]);
  return () => {
    undoPrototype();
    undoConstructor();
  };
}

/** @param {any} owner @param {string} name @param {ProxyHandler<any>} handler */
function replaceProperty(owner, name, handler) {
  const target = owner[name];
  return typeof target === 'function' ? setProperty(owner, name, new Proxy(target, handler)) : () => {};
}

/** @param {any} owner @param {string} name @param {unknown} value @returns {() => void} */
function setProperty(owner, name, value) {
  const before = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(owner, name));
  Object.defineProperty(owner, name, { ...before, value });
  return () => {
    // One that was frozen since stays as it is: a hook that is not active passes all on.
    if (owner[name] === value && Reflect.getOwnPropertyDescriptor(owner, name)?.configurable) Object.defineProperty(owner, name, before);
  };
}
