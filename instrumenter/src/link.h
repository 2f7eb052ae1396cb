/* What is appended to the debuggee, at the end of each index space: the runtime (merged) or trampolines to it (split),
   thunks around imports, and shims around exports. The rewriter of bodies only asks for indices; the driver of sections
   writes the items. */
#ifndef WT_LINK_H
#define WT_LINK_H

#include "emit.h"
#include "plan.h"

typedef struct wt_link {
  wt_job *job;
  const wt_module *module;
  const wt_plan *plan;
  wt_module runtime; /* guest-runtime.wasm, read by the same reader */
  wt_entries entries;
  uint32_t outgoing;    /* the global of the handshake (plan.h), if there is one */
  uint32_t counter;     /* the global that counts instructions, where that is the clock */
  uint32_t clock;       /* function () -> i64 that reads an import as a clock, or WT_NO_INDEX */
  uint32_t block;       /* heap: the global with the address of the runtime's block, 0 before there is one */
  uint32_t allocating;  /* heap: the global that says whether the allocator is being called for it */
  uint32_t begin;       /* heap: function that allocates it and opens the window */
  uint32_t window_open; /* heap: function that only opens the window */
  uint32_t reader;      /* heap: function by which the host gets at the block */
  bool answers_queries; /* heap: it is a query of a canister */
  bool hooks;           /* merged: what is linked in may call the host, through the table of hooks */
  uint32_t no_hooks[WTR_HOOK_COUNT]; /* what stands there at first */
  uint32_t slots;                    /* split: in the table of entries */
  uint32_t *thunks;    /* function index of the thunk by import, or WT_NO_INDEX; NULL when there is none */
  uint32_t *shims;     /* function index of the host-entry shim by function, or 0; NULL when there is none */
  wt_buf shimmed;      /* functions that have a shim, u32 LEB128, in the order of their shims */
  uint32_t first_shim; /* function index */
  uint32_t shim_count;
  uint32_t start_shim;   /* function that calls the start function, exported when the start is deferred */
  uint32_t *block_types; /* cache: appended type [] -> results by type index, plus 1 */
  wt_buf types;          /* appended types, encoded */
  uint32_t type_count;
  wt_buf func_types;   /* type indices of appended functions, LEB128 */
  wt_buf bodies;       /* their bodies, each with its size */
  uint32_t func_count; /* appended functions */
  wt_buf names;        /* (function index, name) pairs for the name section */
  uint32_t name_count;
  bool shared;       /* the runtime's memory is for several threads */
  uint64_t features; /* 1 << WT_FEATURE_..., that what is appended uses */
} wt_link;

/* Reads the runtime and lays out the appended functions. Call before bodies are rewritten. */
bool wt_link_begin(wt_link *link, wt_job *job, const wt_plan *plan, wt_slice runtime);

/* Appends a function type, or a function, whose body is locals and code with the final end; returns its index. */
uint32_t wt_link_add_type(wt_link *link, wt_slice params, uint32_t param_count, wt_slice results,
                          uint32_t result_count);
uint32_t wt_link_nullary_type(wt_link *link, bool result); /* without parameters; result: an i32 */
uint32_t wt_link_add_function(wt_link *link, uint32_t type, const wt_buf *body, const char *name);

/* Names an appended function that wt_link_add_function does not. */
void wt_link_add_name(wt_link *link, uint32_t func, const char *name);

/* Block type for the results of a function of that type: writes it to `code`. */
void wt_link_block_type(wt_link *link, wt_buf *code, uint32_t type_index);

/* A call of an entry point of the runtime. */
static inline void wt_link_entry(const wt_link *link, wt_buf *code, int entry) {
  wt_emit_entry(code, &link->entries, entry);
}

/* Adds thunks and shims. Call after bodies were read, when it is known whose address is taken and which exceptions are
   used. */
bool wt_link_finish(wt_link *link);

/* The state at first, its bytes from WTR_STATE_ADDRESS on, and the size of the runtime's memory, or block, in pages. */
wtr_state wt_link_config(const wt_link *link, wt_buf *config, uint32_t *pages);

/* All allocations went well. */
bool wt_link_ok(const wt_link *link);
void wt_link_free(wt_link *link);

#endif
