// Ways out of a process that Node tells nobody of: process.reallyExit, and proc_exit of a WASI whose `returnOnExit` is off, which
// ends the process in native code. The report is written before.

/** What Node's WASI offers then; otherwise it is a function that throws, and has another name. */
const ENDS_PROCESS = 'bound proc_exit';

/** @param {() => number} finish writes the report, once, and tells what a program without a failure of its own is to exit with */
export function watchReallyExit(finish) {
  const native = /** @type {any} */ (process).reallyExit;
  if (typeof native !== 'function') return;
  /** @type {any} */ (process).reallyExit = function (/** @type {unknown[]} */ ...args) {
    const status = finish();
    return Reflect.apply(native, this, [args[0] || status, ...args.slice(1)]);
  };
}

/**
 * The same imports, with a proc_exit that has the report written first.
 * @param {any} imports as the program gives them; not changed
 * @param {() => number} finish as above
 */
export function watchProcExit(imports, finish) {
  for (const name of Object.keys(imports ?? {}).filter((key) => key.startsWith('wasi_'))) {
    const exit = imports[name]?.proc_exit;
    if (exit?.name !== ENDS_PROCESS) continue;
    const value = (/** @type {unknown[]} */ ...args) => {
      const status = finish();
      return Reflect.apply(exit, imports[name], [args[0] || status]);
    };
    const wasi = Object.create(imports[name], { proc_exit: { value, enumerable: true } });
    return Object.create(imports, { [name]: { value: wasi, enumerable: true } });
  }
  return imports;
}
