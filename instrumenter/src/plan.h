/* What to insert where: the meeting point of the probe language and the rewriter. */
#ifndef WT_PLAN_H
#define WT_PLAN_H

#include "module.h"
#include "probe.h"
#include "weights.h"
#include "wtr_abi.h"

/* What is done to a function. */
enum {
  WT_PLAN_SELECTED = 1,    /* its calls are recorded */
  WT_PLAN_UNLESS_TINY = 2, /* ... unless its body is smaller than min_size */
  WT_PLAN_TRACKED = 4,     /* only passes positions on: a stack is kept, so every frame counts */
  WT_PLAN_ONLY = 8,        /* opens the subtree that --only selects */
  WT_PLAN_STACK = 16,      /* its events show their stack */
  WT_PLAN_ARRIVES = 32,    /* may be called from outside past any shim: looks at the handshake */
  WT_PLAN_LEFT_ALONE = 64, /* set by the rewriter: the result would pass a limit of the engines */
  WT_PLAN_FROM = 128,      /* its call opens the window */
  WT_PLAN_UNTIL = 256,     /* its call closes the window */
  WT_PLAN_DURATION = 512,  /* what its calls take is counted */
  WT_PLAN_HIDDEN = 1024,   /* by --hide: what it takes is its caller's */
};

/* One value to record or to count. */
typedef struct wt_value {
  uint32_t index;     /* of the parameter or result */
  uint8_t type;       /* first byte of its encoded type */
  uint8_t display;    /* the type's byte in the custom section */
  uint32_t histogram; /* number of its histogram or WT_NO_INDEX */
} wt_value;

/* Values of one function, for the few functions that record some. */
typedef struct wt_detail {
  wt_value *args;
  uint32_t arg_count;
  bool all_args; /* all arguments were asked for: known to be none where arg_count is 0 */
  wt_value *results;
  uint32_t result_count;
} wt_detail;

typedef struct wt_histogram {
  uint32_t func;
  uint8_t what; /* 0 argument, 1 result, 2 memory.grow: docs/ARCHITECTURE.md */
  uint32_t index;
  uint8_t display;
} wt_histogram;

typedef enum wt_clock_kind {
  WT_CLOCK_NONE = 0, /* the numbers are those of the custom section */
  WT_CLOCK_TICKER = 1,
  WT_CLOCK_INSTRUCTIONS = 2,
  WT_CLOCK_HOST = 3,
  WT_CLOCK_IMPORT = 4,
} wt_clock_kind;

typedef struct wt_clock {
  wt_clock_kind kind;
  bool wall;       /* nanoseconds of the host's clock are measured around calls of the host, beside this clock */
  uint32_t import; /* function index */
} wt_clock;

/* How the allocator is called that hands out the runtime's block; all numbers are i32. */
typedef enum wt_heap_shape {
  WT_HEAP_CALLOC,    /* (count, size), zeroed */
  WT_HEAP_SIZE,      /* (size) */
  WT_HEAP_ALIGNED,   /* (size, alignment) */
  WT_HEAP_ZEROED,    /* (size, alignment), zeroed */
  WT_HEAP_COLLECTED, /* (size, class): an object of AssemblyScript, which must be pinned */
} wt_heap_shape;

typedef struct wt_heap {
  uint32_t allocator; /* function index */
  wt_heap_shape shape;
  uint32_t pin; /* function index, or WT_NO_INDEX */
} wt_heap;

/* A pattern of --trace, --hide or --until, counted in this order, that nothing matches, beside others that something does. */
typedef struct wt_miss {
  uint32_t pattern;
  const char *text;
} wt_miss;

typedef struct wt_plan {
  const wt_module *module;
  wt_names *names; /* NULL when no name is needed */
  wt_probe *probes;
  uint16_t *flags;     /* WT_PLAN_... by function index */
  wt_detail **details; /* by function index; NULL when no value is recorded at all */
  unsigned displays;   /* wt_display bits in force */
  bool ring;           /* events are recorded */
  bool tree;           /* positions are nodes of the call tree */
  bool grow;           /* memory.grow is recorded */
  uint32_t grow_histogram;
  bool traps;      /* a record before `unreachable` */
  bool all_stacks; /* --stack */
  bool only;
  bool
      handshake; /* calls that may reach a function of WT_PLAN_ARRIVES say so in a global, which the function takes back:
                     so it knows a call of the debuggee's own from one of the host */
  bool calls_references; /* some call may go by a typed reference */
  bool hosts_references; /* and lead to an import */
  wt_clock clock;
  const wt_weights *weights; /* of instructions; set where these are counted */
  bool windows;              /* --from and --until */
  bool counts_events;        /* --skip and --max-events */
  uint32_t closed;           /* WTR_CLOSED_...: why nothing is recorded at first */
  uint64_t skip, most;       /* events before the first that is recorded, and before the first that is not any more */
  uint32_t full;             /* WTR_FULL_... */
  uint32_t *durations;       /* functions whose durations are counted: item i in duration histogram i */
  uint32_t duration_count;
  uint32_t min_size;
  uint32_t nodes; /* of the tree, at most */
  wt_heap heap;   /* of link mode heap */
  wt_histogram *histograms;
  uint32_t histogram_count;
  uint32_t selected_imports;
  wt_miss *misses;
  uint32_t miss_count;
} wt_plan;

static inline bool wt_plan_timed(const wt_plan *plan) { return plan->clock.kind != WT_CLOCK_NONE; }

/* A ring that is full is not simply overwritten: events ask for room first. */
static inline bool wt_plan_makes_room(const wt_plan *plan) { return plan->ring && plan->full != WTR_FULL_OVERWRITE; }

/* Recording may begin or end in the middle of calls. */
static inline bool wt_plan_is_partial(const wt_plan *plan) {
  return plan->windows || plan->counts_events || plan->closed;
}

/* Its calls have nodes of the call tree. What the host takes is told apart where there is a clock. */
static inline bool wt_plan_has_node_of_import(const wt_plan *plan, uint32_t func) {
  uint32_t flags = plan->flags[func];
  return plan->tree && ((flags & WT_PLAN_SELECTED) || (wt_plan_timed(plan) && !(flags & WT_PLAN_HIDDEN)));
}

/* Instructions are counted, in a global of the module's. */
static inline bool wt_plan_counts(const wt_plan *plan) { return plan->clock.kind == WT_CLOCK_INSTRUCTIONS; }

/* Any position is kept: thunks, shims and handlers have work to do. */
static inline bool wt_plan_positions(const wt_plan *plan) { return plan->ring || plan->tree || plan->only; }

static inline const wt_detail *wt_plan_detail(const wt_plan *plan, uint32_t func) {
  return plan->details ? plan->details[func] : NULL;
}

/* Parses the probes and applies them to the module. false on an error; WT_ERROR_NO_MATCH when a pattern names nothing. */
bool wt_plan_make(wt_plan *plan, wt_job *job, const wt_module *module);

/* Whether some probe is of these kinds: bits by wt_probe_kind. */
bool wt_plan_asks(const wt_plan *plan, const wt_job *job, unsigned kinds);

/* The names, made when first asked for; NULL when out of memory. */
wt_names *wt_plan_names(wt_plan *plan, wt_job *job);

/* arrivals.c: finds the functions that may be called from outside past any shim, and how, as far as is known by now. Returns whether there
   is more than before. */
bool wt_plan_find_arrivals(wt_plan *plan);

/* Frees what the C library holds for the patterns. */
void wt_plan_free(wt_plan *plan, const wt_job *job);

#endif
