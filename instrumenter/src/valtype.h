/* Value types, heap types and block types as the binary format writes them (WebAssembly core specification 3.0, 5.3, and
   the custom-descriptors proposal for exact heap types). */
#ifndef WT_VALTYPE_H
#define WT_VALTYPE_H

#include "reader.h"

enum {
  WT_TYPE_I32 = 0x7f,
  WT_TYPE_I64 = 0x7e,
  WT_TYPE_F32 = 0x7d,
  WT_TYPE_F64 = 0x7c,
  WT_TYPE_V128 = 0x7b,
  WT_TYPE_REF_NULL = 0x63,
  WT_TYPE_REF = 0x64,
  WT_TYPE_EXACT = 0x62,
  WT_TYPE_EMPTY = 0x40,
  WT_TYPE_FUNCREF = 0x70, /* also the heap type func */
  WT_TYPE_EXNREF = 0x69,
  WT_TYPE_NULLEXNREF = 0x74,
};

/* Abstract heap types, nullable shorthands: cont 0x68 ... nocont 0x75. */
static inline bool wt_is_abstract_ref(uint8_t byte) { return byte >= 0x68 && byte <= 0x75; }

/* Skips a heap type. A concrete one must be below type_limit. */
void wt_heap_type_skip(wt_reader *reader, uint32_t type_limit);

/* Skips a value type and returns its first byte. */
uint8_t wt_valtype_skip(wt_reader *reader, uint32_t type_limit);

/* Skips the declarations of locals at the beginning of a body and returns how many there are. */
uint32_t wt_locals_skip(wt_reader *reader, uint32_t type_limit);

/* How many words a value of the type whose encoding begins with `byte` takes in a record. */
static inline uint32_t wt_valtype_words(uint8_t byte) { return byte == WT_TYPE_V128 ? 2 : 1; }

/* The byte that stands for the type in the custom section: docs/ARCHITECTURE.md. */
uint8_t wt_valtype_display(const uint8_t *encoded);

/* Length of a well-formed encoded value type. */
size_t wt_valtype_size(const uint8_t *encoded);

#endif
