// What cmake/bundle.mjs puts around the page script: the script is one function, which is called with what it is to do, and
// whose own text is what workers and frames get.

declare const wasmTraceLaunch: import('./loader/launch.js').Launch;
declare const wasmTraceStart: (launch: import('./loader/launch.js').Launch) => unknown;
declare const wasmTraceVersion: string;

/** Of workers; the types of the DOM do not have it. */
declare const WorkerLocation: { prototype: Location };
