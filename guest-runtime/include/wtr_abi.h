/* The contract between the instrumenter, the runtime that is linked into the debuggee, and the JS readers.
   The runtime has a memory of its own; nothing of it lives in the debuggee's heap. docs/ARCHITECTURE.md tells the record
   format. Everything is little-endian, as wasm is. */
#ifndef WTR_ABI_H
#define WTR_ABI_H

#include <stdint.h>

#define WTR_MAGIC 0x31525457u /* "WTR1" */

/* Where the state block stands in the runtime's memory. Fixed, so that its address is a constant in every access; low, so
   that the constants of the fields in use (below address 64) take one byte: entry points of fewer bytes are inlined sooner. */
#define WTR_STATE_ADDRESS 16u

/* Header word of a record. */
#define WTR_KIND_BITS 4
#define WTR_ID_SHIFT 4
#define WTR_ID_BITS 24
#define WTR_WORDS_SHIFT 28
#define WTR_WORDS_BITS 12
#define WTR_POSITION_SHIFT 40
#define WTR_POSITION_BITS 24

/* In the place of a position where nothing is recorded: not inside the subtree that --only selected; inside of it, or where there is no
   --only anywhere, while recording is off (`closed`). A call that enters the subtree meanwhile keeps the third in the place of the first: it
   goes back to the outside, and nothing is known of it. They are constants of one byte, and negative, as no position is. */
#define WTR_OUTSIDE 0xffffffffu
#define WTR_SHUT 0xfffffffeu
#define WTR_OUTSIDE_UNSEEN 0xfffffffdu
#define WTR_LAST_POSITION 0x7fffffffu

#define WTR_FLAG_TREE 1u /* positions are nodes of the call tree, not depths */
#define WTR_FLAG_RING 2u /* events are recorded */
#define WTR_FLAG_BLIND \
  4u /* thunks and shims do not see exceptions: the module has none, and the engine was not known */
#define WTR_FLAG_TIMED 8u /* a clock is read: nodes have spans, and the last payload word of each record is its time */

/* Function index of a frame that stands for doubt: the frames above it may have been left by then (position.c). */
#define WTR_UNCERTAIN 0xffffffu

/* The base, where calls from the host begin: the low bits of a position, of WTR_OUTSIDE or of WTR_SHUT; whether the host has
   called from there and that call was not seen to end; and the number of the stack that is running (js/loader/stacks.js). */
#define WTR_BASE_POSITION 0x00ffffffu
#define WTR_BASE_BUSY 0x01000000u
#define WTR_BASE_STACK_SHIFT 25

/* Why nothing is recorded for now, in `closed`. Then the position is WTR_SHUT or WTR_OUTSIDE. */
#define WTR_CLOSED_WINDOW 1u /* by --from and --until */
#define WTR_CLOSED_EVENTS 2u /* by --skip and --max-events */
#define WTR_CLOSED_FULL 4u   /* the ring is full, and recording is to stop then */
#define WTR_CLOSED_HOST 8u   /* by the host */

/* What happens when the ring is full. */
#define WTR_FULL_OVERWRITE 0u
#define WTR_FULL_DRAIN 1u     /* the host is called, and takes the records */
#define WTR_FULL_STOP 2u      /* nothing is recorded any more */
#define WTR_FULL_AGGREGATE 3u /* only the tree and histograms go on; records go to the sink, behind the ring */
#define WTR_SINK_WORDS 8192u

/* What the runtime may call of the host: its imports from module "wtr" when it is an instance of its own; slots of the table of
   hooks, which by themselves do nothing, when it is merged.
     now: () -> f64   the host's clock, in nanoseconds
     full: () -> ()   the ring is full; the host reads it and raises ring_end */
#define WTR_HOOK_NOW 0u
#define WTR_HOOK_FULL 1u
#define WTR_HOOK_COUNT 2u

/* Words that no record is longer than, header included: where fewer are left the ring is full. */
#define WTR_MOST_RECORD_WORDS (1u << WTR_WORDS_BITS)

/* Durations are counted in log-linear buckets: v < 16 in bucket v; larger ones, with e = floor(log2 v), in bucket
     16 + (e - 4) * 8 + (v >> (e - 3) & 7)                 496 buckets of 64 bits, each 1/8 of its power of two wide */
#define WTR_DURATION_BUCKETS 496u

/* In the place of a number of such a histogram: there is none. */
#define WTR_NO_HISTOGRAM 0xffffffffu

/* The word that a ticker keeps storing the time into, alone on its cache line: each store takes the line from who reads.
   It holds a double of 2^52 plus nanoseconds, whose bits so count nanoseconds: JS can store it in one piece. */
#define WTR_TICKER_ADDRESS 192u

/* The tree stands at a fixed address, too, and what is beside its nodes at a fixed distance: so probes need not look up where. */
#define WTR_TREE_ADDRESS 256u
#define WTR_TREE_NODES 262144u

/* Where the runtime has a block of the debuggee's heap instead of a memory (link mode heap), all addresses are relative to that, and the
   tree is smaller unless --nodes says otherwise. In front of the state stand three words of 32 bits: what WTR_CALIBRATION_CALLS calls and
   their returns cost by the clock, in the callee and in the caller, and what the first call on a path costs beside; zero where that was
   not measured. */
#define WTR_HEAP_NODES 16384u
#define WTR_CALIBRATION_SHIFT 3 /* 1 << it calls */
#define WTR_CALIBRATION_CALLS 8u
#define WTR_CALIBRATION_INNER 0u
#define WTR_CALIBRATION_OUTER 4u
#define WTR_CALIBRATION_FIRST 8u

/* The function of the root: no probe's. So the root is nobody's child, which is what a node without children names as its last one. */
#define WTR_NO_FUNCTION 0xffffffffu

/* Entry points in the order of their slots in the table of split mode. */
enum {
#define WTR_ENTRY(name, params, result, need) WTR_ENTRY_##name,
#include "wtr_entries.def"
#undef WTR_ENTRY
  WTR_ENTRY_COUNT
};

/* A histogram counts values by sign and binary exponent e (2^e <= |v| < 2^(e+1)), e limited to -64..63:
     bucket 0 zero | 1 NaN | 2 + (e + 64) positive | 130 + (e + 64) negative          258 buckets of 64 bits */
#define WTR_HISTOGRAM_BUCKETS 258u
#define WTR_HISTOGRAM_BYTES (WTR_HISTOGRAM_BUCKETS * 8u)

enum {
#define WTR_RECORD(name, number) WTR_RECORD_##name = number,
#include "wtr_records.def"
#undef WTR_RECORD
};

/* A node of the calling-context tree. Node 0 is the root (the host). Node 1 stands for every path that found the table
   full: calls below it are only counted in tree_dropped. A node's parent always has a smaller index, so one backward
   sweep sums subtrees. */
#define WTR_NODE_ROOT 0u
#define WTR_NODE_DROPPED 1u
#define WTR_NODE_FIRST 2u

typedef struct wtr_node {
  uint32_t parent;
  uint32_t func;
  uint32_t last_child; /* the child entered last: the first guess of the next lookup */
  uint32_t depth;      /* root 0 */
  uint64_t count;      /* calls of func on exactly this path */
  uint64_t self;       /* clock that passed while execution stood in this node */
} wtr_node;

/* Beside each node, when a clock is read. What is zero in fresh memory means "no call has returned". The start goes with the
   number of the stack that it was on, so that a second activation on another stack is told from the first. */
typedef struct wtr_span {
  uint64_t start;       /* clock at the last enter << WTR_SPAN_SHIFT | stack */
  uint64_t min_inverse; /* ~ the shortest call that returned */
  uint64_t max;         /* the longest */
  uint64_t wall;        /* nanoseconds of the host's clock; only where they are measured beside another clock */
} wtr_span;

#define WTR_SPAN_SHIFT 7

typedef struct wtr_state {
  uint32_t magic;
  uint32_t flags;
  uint32_t position;
  uint32_t ring_base;     /* byte address, 8-aligned */
  uint32_t ring_mask;     /* words in the ring - 1; a power of two of words */
  uint32_t base;          /* of calls from the host, WTR_BASE_...: the root, or while an import is running its place */
  uint64_t ring_words;    /* words of all records ever closed; word w stands at ring_base + 8 * (w & ring_mask) */
  uint64_t ring_payload;  /* of these, payload words: events ever = ring_words - ring_payload */
  uint32_t tree_base;     /* WTR_TREE_ADDRESS */
  uint32_t tree_capacity; /* WTR_TREE_NODES, or without a tree WTR_NODE_FIRST */
  uint32_t tree_count;    /* nodes in use, root and dropped included: at least 2 */
  uint32_t hash_base;     /* (parent, func) -> node: u32 slots, 0 = free, linear probing */
  uint32_t hash_mask;     /* slots now in use - 1; doubles as the tree grows, up to 2 * tree_capacity - 1 */
  uint32_t hist_base;
  uint64_t tree_dropped; /* calls not counted on a path of their own because the tree was full */
  uint32_t hist_count;
  uint32_t ring_reach; /* low half of the number of words ever touched: of a record that is not closed, too */
  uint64_t last;       /* the clock at the last event */
  uint32_t closed;     /* WTR_CLOSED_...; 0: events are recorded */
  uint32_t only;       /* whether there is an --only: execution begins outside */
  uint32_t span_base;  /* wtr_span by node: behind the tree */
  uint32_t duration_base;
  uint32_t duration_count;
  uint32_t full;       /* WTR_FULL_... */
  uint64_t events;     /* seen, where they are counted for --skip and --max-events */
  uint64_t skip;       /* of these, the first to leave out */
  uint64_t most;       /* after so many it is enough */
  uint64_t ring_end;   /* words after which the ring is full */
  uint64_t kept_words; /* WTR_FULL_AGGREGATE, once the ring is full: what the ring was then; 0 before */
  uint64_t kept_payload;
  uint32_t kept_base;
  uint32_t kept_mask;
} wtr_state;

_Static_assert(WTR_STATE_ADDRESS + sizeof(wtr_state) <= WTR_TICKER_ADDRESS, "the ticker's line is its own");

#endif
