// What the runtime calls of the host: its clock, and whoever takes the records out of a full ring (WTR_HOOK_... in wtr_abi.h).
// A split runtime imports them. A merged one calls through a table, into which only functions of wasm go: so a module of two
// imports that it exports again turns ours into such.

import * as ABI from '../generated/abi.js';
import { natives } from './engine.js';

/** Imports wtr.now, () -> f64, and wtr.full, () -> (), and exports both. */
const ADAPTER = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 8, 2, 0x60, 0, 1, 0x7c, 0x60, 0, 0],
  ...[2, 22, 2, 3, 0x77, 0x74, 0x72, 3, 0x6e, 0x6f, 0x77, 0, 0, 3, 0x77, 0x74, 0x72, 4, 0x66, 0x75, 0x6c, 0x6c, 0, 1],
  ...[7, 14, 2, 3, 0x6e, 0x6f, 0x77, 0, 0, 4, 0x66, 0x75, 0x6c, 0x6c, 0, 1],
);

/** @type {WebAssembly.Module | undefined} */
let adapter;

/** Of one instance. Nothing in here may throw: the caller is the program. */
export class HostHooks {
  /** Takes the records, and raises `ring_end`; otherwise the oldest are overwritten. */
  onFull = () => {};

  /** For the split runtime. @returns {WebAssembly.ModuleImports} */
  get imports() {
    return { now: () => performance.now() * 1e6, full: () => this.onFull() };
  }

  /** @param {WebAssembly.Table} table of a merged module */
  fill(table) {
    adapter ??= new natives.Module(ADAPTER);
    const { now, full } = new natives.Instance(adapter, { wtr: this.imports }).exports;
    table.set(ABI.HOOK_NOW, now);
    table.set(ABI.HOOK_FULL, full);
  }
}
