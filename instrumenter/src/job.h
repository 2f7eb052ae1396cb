/* The state of one job, shared by the rooms of the core: memory, the first error, and the options as they were given. */
#ifndef WT_JOB_H
#define WT_JOB_H

#include "arena.h"
#include "base.h"
#include "buf.h"
#include "wasm_trace.h"

/* A growing list of texts or files that the caller gave. */
typedef struct wt_slices {
  wt_slice *items;
  size_t count;
  size_t capacity;
} wt_slices;

typedef enum wt_display {
  WT_DISPLAY_LOG = 1,
  WT_DISPLAY_NESTED = 2,
  WT_DISPLAY_TREE = 4,
  WT_DISPLAY_HISTOGRAM = 8,
  WT_DISPLAY_REPORT = 16,
  WT_DISPLAY_INVERTED = 32,
  WT_DISPLAY_CALLERS = 64,
} wt_display;

/* Displays that are made from the call tree. */
#define WT_DISPLAYS_OF_TREE (WT_DISPLAY_TREE | WT_DISPLAY_REPORT | WT_DISPLAY_INVERTED | WT_DISPLAY_CALLERS)

typedef enum wt_clock_option {
  WT_CLOCK_OPTION_NONE, /* or none was given */
  WT_CLOCK_OPTION_AUTO,
  WT_CLOCK_OPTION_TICKER,
  WT_CLOCK_OPTION_INSTRUCTIONS,
  WT_CLOCK_OPTION_HOST,
  WT_CLOCK_OPTION_IMPORT,
} wt_clock_option;

typedef struct wt_options {
  wt_slices traces;
  wt_slices display_names;
  wt_slices hides;
  wt_slices onlys;
  wt_slices symbols;
  wt_slices froms;
  wt_slices untils;
  wt_slice clock_import; /* module.name */
  wt_clock_option clock;
  bool clock_given;
  wt_clock_option auto_clock; /* what `auto` means here */
  uint64_t skip;
  uint64_t max_events; /* 0: no limit */
  uint32_t full;       /* WTR_FULL_... */
  bool stopped;
  bool wall;
  unsigned displays;    /* wt_display bits */
  uint64_t buffer_size; /* 0 = default */
  uint32_t min_size;
  bool min_size_given;
  bool split;
  bool heap;          /* merged, and the runtime's state is a block of the debuggee's heap */
  wt_slice allocator; /* a pattern; empty: one that is known */
  uint32_t nodes;     /* of the tree in that block; 0 = default */
  bool link_given;    /* else merged, unless it would pass a limit of the engines */
  bool stack;
  bool defer_start;
  bool legacy_exceptions;
  bool symbols_guessed;
  bool some_match;
  bool shared;
  const struct wt_weights *weights; /* NULL: each instruction is 1 */
} wt_options;

struct wt_job {
  wt_arena arena;
  wt_error error;
  wt_options options;
  wt_edits edits;
  wt_buf inserts;
  wt_buf edit_list;                /* wt_edit items */
  char *texts[WT_TEXT_MISSES + 1]; /* by wt_text; made when first asked for */
  struct wt_run *run;              /* what texts are made from; NULL before a rewrite */
};

/* Records the first error of the job and returns false. The message is formatted into the arena. */
bool wt_fail(wt_job *job, wt_status status, size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

bool wt_fail_memory(wt_job *job);

#endif
