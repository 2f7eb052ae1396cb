/* What an engine goes by when it decides how much to inline, kept as it was. V8 counts a module's functions whose bodies are small: where they are
   less than half of all, it takes the toolchain to have inlined already and inlines less itself, at a quarter a tenth as much (V8's sources,
   src/wasm: InliningTree::BudgetScaleFactor, ModuleDecoderImpl::DecodeFunctionBody). Probes make small bodies large. The program itself would be
   compiled worse for that, most of all while nothing is recorded. */
#ifndef WT_INLINING_H
#define WT_INLINING_H

#include "code.h"

/* size: of a body, without the field that tells it */
static inline bool wt_inlining_is_small(uint64_t size) { return size < 50; }

/* Appends empty functions, which nothing calls, until small ones have their share again. Call when all others have been appended. What is
   made for a heap stays as it is: canisters do not run on V8. */
void wt_inlining_keep(wt_link *link, const wt_code *code);

#endif
