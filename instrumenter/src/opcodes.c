/* Tables made from the .def files. Opcodes of one byte have tables of their own, which can be read without a call; the
   prefixed ones lie prefix after prefix in one table, each prefix in a range as long as its highest code needs. */
#include "opcodes.h"

#include <assert.h>

enum {
  FIRST_FB = 0,
  FIRST_FC = FIRST_FB + 0x27,
  FIRST_FD = FIRST_FC + 0x17,
  FIRST_FE = FIRST_FD + 0x114,
  PREFIXED_COUNT = FIRST_FE + 0x4F,
};

/* A row lands in the tables of its prefix and vanishes from the others. */
#define SINGLE_0x00(code, ...) [code] = __VA_ARGS__,
#define SINGLE_0xFB(code, ...)
#define SINGLE_0xFC(code, ...)
#define SINGLE_0xFD(code, ...)
#define SINGLE_0xFE(code, ...)

#define PREFIXED_0x00(code, ...)
#define PREFIXED_0xFB(code, ...) [FIRST_FB + (code)] = __VA_ARGS__,
#define PREFIXED_0xFC(code, ...) [FIRST_FC + (code)] = __VA_ARGS__,
#define PREFIXED_0xFD(code, ...) [FIRST_FD + (code)] = __VA_ARGS__,
#define PREFIXED_0xFE(code, ...) [FIRST_FE + (code)] = __VA_ARGS__,

const wt_opcode wt_opcodes_single[256] = {
#define WT_OPCODE(prefix, code, name, text, immediate, feature) \
  SINGLE_##prefix(code, {WT_IMM_##immediate, WT_FEATURE_##feature})
#include "opcodes.def"
#undef WT_OPCODE
};

static const wt_opcode prefixed[PREFIXED_COUNT] = {
#define WT_OPCODE(prefix, code, name, text, immediate, feature) \
  PREFIXED_##prefix(code, {WT_IMM_##immediate, WT_FEATURE_##feature})
#include "opcodes.def"
#undef WT_OPCODE
};

const char wt_opcode_names[] =
#define WT_OPCODE(prefix, code, name, text, immediate, feature) text "\0"
#include "opcodes.def"
#undef WT_OPCODE
    ;

static const wt_feature_info features[] = {
#define WT_FEATURE(name, text, target, chrome, firefox, safari, node) {text, target, chrome, firefox, safari, node},
#include "features.def"
#undef WT_FEATURE
};

_Static_assert(WT_IMM_UNKNOWN == 0, "gaps in the tables are zeroes");
_Static_assert(WT_FEATURE_COUNT <= 64, "a set of features is a uint64_t");

/* Where a prefix's codes lie in the prefixed tables: [0] is prefix 0xFB, the last item the end of 0xFE. */
static const size_t firsts[] = {FIRST_FB, FIRST_FC, FIRST_FD, FIRST_FE, PREFIXED_COUNT};

/* PREFIXED_COUNT when no table reaches that far. */
static size_t prefixed_index(uint8_t prefix, uint32_t code) {
  if (prefix < WT_PREFIX_GC || prefix > WT_PREFIX_ATOMIC)
    return PREFIXED_COUNT;
  const size_t *first = &firsts[prefix - WT_PREFIX_GC];
  return code < first[1] - first[0] ? first[0] + code : PREFIXED_COUNT;
}

static const wt_opcode *known(const wt_opcode *opcode) { return opcode->immediate == WT_IMM_UNKNOWN ? NULL : opcode; }

const wt_opcode *wt_opcode_find(uint8_t prefix, uint32_t code) {
  if (prefix == WT_PREFIX_NONE)
    return code < WT_COUNT_OF(wt_opcodes_single) ? known(&wt_opcodes_single[code]) : NULL;
  size_t index = prefixed_index(prefix, code);
  return index < PREFIXED_COUNT ? known(&prefixed[index]) : NULL;
}

const wt_feature_info *wt_feature_describe(wt_feature feature) {
  assert((size_t)feature < WT_COUNT_OF(features));
  return &features[feature];
}

const char *wt_feature_name(wt_feature feature) { return wt_feature_describe(feature)->name; }
