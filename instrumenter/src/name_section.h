/* Lenient reading of function names from a name section: what can be read counts, the rest is left. */
#ifndef WT_NAME_SECTION_H
#define WT_NAME_SECTION_H

#include "base.h"

typedef void (*wt_name_sink)(void *user, uint32_t func, wt_slice name);

/* Gives every function name of a section's content (behind the section's own name) to `sink`, in order. The names are
   borrowed bytes, of any encoding; indices may repeat or be out of range. */
void wt_name_section_read(wt_slice content, wt_name_sink sink, void *user);

typedef struct wt_name_twin {
  wt_slice name_section;  /* size 0: there is none */
  uint32_t defined_count; /* functions of the function section */
} wt_name_twin;

/* Looks through the sections of another module. false when it is no core module. */
bool wt_name_twin_read(wt_slice module, wt_name_twin *twin);

#endif
