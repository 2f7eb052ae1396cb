/* The inside of a pattern, for those who explain why it matches nothing. */
#ifndef WT_PATTERN_H
#define WT_PATTERN_H

#include "names.h"

typedef enum wt_pattern_kind {
  WT_PATTERN_TEXT, /* no special characters, or quoted */
  WT_PATTERN_GLOB,
  WT_PATTERN_REGEX,
  WT_PATTERN_INDEX,
} wt_pattern_kind;

wt_pattern_kind wt_pattern_kind_of(const wt_pattern *pattern);

/* Of WT_PATTERN_INDEX. */
uint32_t wt_pattern_index(const wt_pattern *pattern);

/* The text to match, without quotes or slashes. */
wt_slice wt_pattern_text(const wt_pattern *pattern);

#endif
