/* The probe language: one --trace text -> one probe.

     probe   = kind | kind "(" [ number "," ] PATTERN ")" | kind [number] ":" PATTERN
     kind    = calls | args | arg | ret | imports | memory.grow | stack | traps | duration

   The second spelling, `arg0:malloc`, needs no quoting in a shell. */
#ifndef WT_PROBE_H
#define WT_PROBE_H

#include "job.h"
#include "names.h"

typedef enum wt_probe_kind {
#define WT_PROBE(name, text, pattern, number) WT_PROBE_##name,
#include "probes.def"
#undef WT_PROBE
  WT_PROBE_KINDS
} wt_probe_kind;

typedef struct wt_probe {
  wt_probe_kind kind;
  uint32_t number;     /* of arg(N, ...) */
  wt_pattern *pattern; /* NULL when none was written */
  wt_slice pattern_text;
  wt_slice text; /* the whole probe */
} wt_probe;

/* Bare `calls`: all of them. */
static inline bool wt_probe_is_bare_calls(const wt_probe *probe) {
  return probe->kind == WT_PROBE_CALLS && !probe->pattern;
}

/* Parses one probe. On an error (WT_ERROR_PROBE, the offset is a column of `text`) false. */
bool wt_probe_parse(wt_job *job, wt_slice text, wt_probe *probe);

#endif
