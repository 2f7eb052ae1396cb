#include "plain.h"

/* No plain instruction is longer, so inside this distance from the end it need not look for it. */
#define LONGEST_PLAIN 16

/* All opcodes below this without immediates are control instructions. */
#define FIRST_PLAIN 0x1a

/* Four bytes as a little-endian number. */
static inline uint32_t load32(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Bytes of the LEB128 at `at`, or 0 when it has more than four: then the exact reader decides. The first byte without a
   continuation bit is found without a branch for each byte. */
static inline size_t short_leb(const uint8_t *at) {
  uint32_t last = ~load32(at) & 0x80808080u;
  return last ? ((size_t)__builtin_ctz(last) >> 3) + 1 : 0;
}

/* Bytes of an index of one or two bytes below the limit, or 0 for all others. */
static inline size_t short_index(const uint8_t *at, uint32_t limit) {
  if (at[0] < 0x80)
    return at[0] < limit;
  return at[1] < 0x80 && (uint32_t)(at[0] & 0x7f) + (uint32_t)at[1] * 0x80 < limit ? 2 : 0;
}

/* Bytes of a memory argument without a memory index, or 0. */
static inline size_t short_memarg(const uint8_t *at) {
  size_t size = at[0] < 0x40 ? short_leb(at + 1) : 0;
  return size ? 1 + size : 0;
}

/* What an inner loop must not load again for every instruction. */
typedef struct plain_limits {
  uint32_t locals, globals, labels;
  bool memory;
} plain_limits;

/* Bytes of the immediates of a plain instruction: one that is only skipped, and that has some. 0 for all others. */
static inline size_t plain_immediates(const uint8_t *at, uint8_t immediate, const plain_limits *limits) {
  switch (immediate) {
  case WT_IMM_LOCAL: return short_index(at + 1, limits->locals);
  case WT_IMM_I32:
  case WT_IMM_I64: return short_leb(at + 1);
  case WT_IMM_MEMARG: return limits->memory ? short_memarg(at + 1) : 0;
  case WT_IMM_LABEL: return *at == WT_OP_BR || *at == WT_OP_BR_IF ? short_index(at + 1, limits->labels) : 0;
  case WT_IMM_GLOBAL: return short_index(at + 1, limits->globals);
  case WT_IMM_F32: return 4;
  case WT_IMM_F64: return 8;
  default: return 0;
  }
}

/* Anything unusual is left to the exact reader. With `weights`, what ends a block is unusual too. */
static inline uint64_t skip(wt_reader *reader, const wt_spaces *spaces, uint64_t *features, const wt_weights *weights) {
  const wt_module *module = spaces->module;
  plain_limits limits = {spaces->locals, module->global_count, spaces->labels, module->memory_count > 0};
  const uint8_t *at = reader->at;
  const uint8_t *last = reader->end - at >= LONGEST_PLAIN ? reader->end - LONGEST_PLAIN : at - 1;
  uint64_t used = 0, sum = 0;
  while (at <= last) {
    wt_opcode opcode = wt_opcodes_single[*at];
    size_t size = 0;
    if (opcode.immediate == WT_IMM_NONE) {
      if (*at < FIRST_PLAIN)
        break;
    } else {
      if (weights && opcode.immediate == WT_IMM_LABEL)
        break;
      size = plain_immediates(at, opcode.immediate, &limits);
      if (!size)
        break;
    }
    if (opcode.feature != WT_FEATURE_MVP)
      used |= WT_FEATURE_BIT(opcode.feature);
    if (weights)
      sum += weights->of[*at];
    at += 1 + size;
  }
  reader->at = at;
  *features |= used;
  return sum;
}

/* Two loops, so that the usual one has nothing to do with weights. */
void wt_plain_skip(wt_reader *reader, const wt_spaces *spaces, uint64_t *features) {
  skip(reader, spaces, features, NULL);
}

uint64_t wt_plain_skip_counted(wt_reader *reader, const wt_spaces *spaces, uint64_t *features,
                               const wt_weights *weights) {
  return skip(reader, spaces, features, weights);
}
