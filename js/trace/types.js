// Value types as the custom section writes them (one byte each) and what one value takes in a record.

/**
 * @typedef {'i32' | 'i64' | 'f32' | 'f64' | 'v128' | 'ref' | 'funcref' | 'externref' | 'anyref' | 'eqref' | 'i31ref'
 *   | 'structref' | 'arrayref' | 'exnref' | 'contref' | 'nullref' | 'nullexternref' | 'nullfuncref' | 'nullexnref'
 *   | 'nullcontref'} ValueType `ref` is a reference to a type that the module defines
 */

/** @type {ReadonlyMap<number, ValueType>} */
const TYPES = new Map([
  [0x7f, 'i32'],
  [0x7e, 'i64'],
  [0x7d, 'f32'],
  [0x7c, 'f64'],
  [0x7b, 'v128'],
  [0x75, 'nullcontref'],
  [0x74, 'nullexnref'],
  [0x73, 'nullfuncref'],
  [0x72, 'nullexternref'],
  [0x71, 'nullref'],
  [0x70, 'funcref'],
  [0x6f, 'externref'],
  [0x6e, 'anyref'],
  [0x6d, 'eqref'],
  [0x6c, 'i31ref'],
  [0x6b, 'structref'],
  [0x6a, 'arrayref'],
  [0x69, 'exnref'],
  [0x68, 'contref'],
  [0x63, 'ref'],
]);

/** @param {number} byte @returns {ValueType | null} null for a byte that is no type */
export function typeOfByte(byte) {
  return TYPES.get(byte) ?? null;
}

/** 64-bit words that a value takes in a record. @param {ValueType} type */
export function wordsOf(type) {
  return type === 'v128' ? 2 : 1;
}
