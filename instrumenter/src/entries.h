/* The entry points of the runtime that probes may call, as wtr_entries.def lists them, and which of them a plan needs. */
#ifndef WT_ENTRIES_H
#define WT_ENTRIES_H

#include "plan.h"
#include "wtr_abi.h"

typedef struct wt_entry_row {
  const char *name;   /* of the export, "wtr_" in front */
  const char *params; /* a letter each: i = i32, I = i64, D = f64, v = none */
  const char *result;
  bool (*needed)(const wt_plan *plan);
} wt_entry_row;

extern const wt_entry_row wt_entry_rows[WTR_ENTRY_COUNT];

static inline bool wt_entry_needed(const wt_plan *plan, int entry) { return wt_entry_rows[entry].needed(plan); }

#endif
