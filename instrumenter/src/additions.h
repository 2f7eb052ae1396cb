/* What is added to each section: at its end, so that nothing of the debuggee is renumbered, or in a section of its own where there is
   none. */
#ifndef WT_ADDITIONS_H
#define WT_ADDITIONS_H

#include "link.h"

typedef struct wt_additions {
  const wt_link *link;
  wt_buf config; /* the initial state of the runtime, from WTR_STATE_ADDRESS on */
  uint32_t pages;
} wt_additions;

typedef struct wt_addition {
  uint32_t count; /* items */
  bool first;     /* in front of the debuggee's items */
  wt_buf bytes;
} wt_addition;

typedef struct wt_growing_section {
  uint8_t id;
  void (*add)(const wt_additions *a, wt_addition *added);
} wt_growing_section;

#define WT_GROWING_SECTIONS 9

/* Those that may grow, in the order in which they stand in a module. */
extern const wt_growing_section wt_growing_sections[WT_GROWING_SECTIONS];

/* What is added to one; its bytes are the caller's to free. */
wt_addition wt_addition_new(const wt_additions *a, const wt_growing_section *section);

/* The runtime's memory is one of the module's: merged, and not a block of the debuggee's heap. */
bool wt_adds_memory(const wt_additions *a);

#endif
