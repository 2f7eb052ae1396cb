// What a module is, beyond its name: the hash of its bytes, and who made them.

import { createHash } from 'node:crypto';

import { originalOf } from '../js/loader/edits.js';
import { Reader } from '../js/trace/reader.js';
import { findCustomSection } from './sections.js';

/** @import {Reversible} from '../js/loader/edits.js' */
/** @import {ModuleFacts} from '../js/loader/module-facts.js' */
/** @import {Producers} from '../js/model/baseline.js' */

/** @param {Reader} reader @returns {string} "rustc 1.80.0"; a version that says nothing is left out */
function readProducer(reader) {
  return [reader.name(), reader.name()].filter(Boolean).join(' ');
}

/** @param {Uint8Array} section content of the custom section "producers" @returns {Producers} what is there before something malformed */
function parseProducers(section) {
  const reader = new Reader(section);
  /** @type {Record<string, string[]>} */
  const fields = {};
  try {
    for (let left = reader.count(2); left > 0; left--) {
      const field = reader.name();
      fields[field] = Array.from({ length: reader.count(2) }, () => readProducer(reader)).sort();
    }
  } catch {
    // Who made a module may not tell it well.
  }
  return fields;
}

/** Notes what an instrumented module was made from. @param {ModuleFacts} facts @param {Reversible} made */
export function identify(facts, made) {
  const original = originalOf(made);
  const section = findCustomSection(original, 'producers');
  facts.identity = { sha256: createHash('sha256').update(original).digest('hex'), producers: section ? parseProducers(section) : {} };
}
