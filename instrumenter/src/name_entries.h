/* Where names of appended functions go: the end of the name section's function names. */
#ifndef WT_NAME_ENTRIES_H
#define WT_NAME_ENTRIES_H

#include "module.h"

/* Offsets in the file. */
typedef struct wt_name_place {
  size_t payload; /* of the section, behind its size */
  size_t size;    /* the size field of the function names */
  size_t items;   /* behind their count */
  size_t end;     /* behind the last one */
  uint32_t count; /* of all entries */
  uint32_t named; /* functions that they give a name */
} wt_name_place;

bool wt_is_name_section(const wt_section *section);

/* Finds the function names. false when there are none, or when the section cannot be read: garbage in it is no error of
   the module. */
bool wt_name_place_find(wt_job *job, const wt_module *module, const wt_section *section, wt_name_place *place);

#endif
