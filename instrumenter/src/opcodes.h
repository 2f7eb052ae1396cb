/* The instructions of WebAssembly: what follows each opcode and which proposal it comes from. The facts are rows of
   opcodes.def, immediates.def and features.def; reading immediates is left to instr.h. */
#ifndef WT_OPCODES_H
#define WT_OPCODES_H

#include "base.h"

enum {
  WT_PREFIX_NONE = 0x00, /* instructions of one byte */
  WT_PREFIX_GC = 0xFB,
  WT_PREFIX_MISC = 0xFC,
  WT_PREFIX_SIMD = 0xFD,
  WT_PREFIX_ATOMIC = 0xFE,
};

typedef enum wt_immediate {
#define WT_IMMEDIATE(name) WT_IMM_##name,
#include "immediates.def"
#undef WT_IMMEDIATE
} wt_immediate;

typedef enum wt_feature {
#define WT_FEATURE(name, text, target, chrome, firefox, safari, node) WT_FEATURE_##name,
#include "features.def"
#undef WT_FEATURE
  WT_FEATURE_COUNT
} wt_feature;

/* A set of features is a uint64_t with these bits. */
#define WT_FEATURE_BIT(feature) (UINT64_C(1) << (feature))

/* One number for prefix and code, for a switch over all instructions. For instructions of one byte it is that byte. */
#define WT_OP(prefix, code) ((int)((uint32_t)(prefix) << 16 | (uint32_t)(code)))
#define WT_OP_PREFIX(op) ((uint8_t)((uint32_t)(op) >> 16))
#define WT_OP_CODE(op) ((uint32_t)(op)&0xFFFFu)

/* WT_OP_CALL is 0x10, WT_OP_MEMORY_COPY is WT_OP(0xFC, 0x0A). */
enum {
#define WT_OPCODE(prefix, code, name, text, immediate, feature) WT_OP_##name = WT_OP(prefix, code),
#include "opcodes.def"
#undef WT_OPCODE
};

typedef struct wt_opcode {
  uint8_t immediate; /* wt_immediate; WT_IMM_UNKNOWN where there is no such instruction */
  uint8_t feature;   /* wt_feature */
} wt_opcode;

/* Instructions of one byte, by that byte; the prefix bytes are unknown here. */
extern const wt_opcode wt_opcodes_single[256];

/* NULL when there is no such instruction. Any prefix and code may be asked for. */
const wt_opcode *wt_opcode_find(uint8_t prefix, uint32_t code);

/* The names in the text format, one behind the other, of all instructions in the order of their numbers; then an empty one.
   Pages load this: pointers to the names would take as much room as the names, packed. */
extern const char wt_opcode_names[];

/* Versions are the first with the feature on by default, "" where there is none. */
typedef struct wt_feature_info {
  const char *name;
  const char *target; /* as toolchains call it: LLVM's name or, for what LLVM lacks, Binaryen's */
  const char *chrome;
  const char *firefox;
  const char *safari;
  const char *node;
} wt_feature_info;

/* Never NULL; every string is non-NULL. */
const wt_feature_info *wt_feature_describe(wt_feature feature);

/* Name for messages, such as "tail calls". */
const char *wt_feature_name(wt_feature feature);

#endif
