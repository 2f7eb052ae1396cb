/* Custom sections named metadata.code.*: annotations at code offsets (tool-conventions, "code metadata"; branch hints are
   the best known). They are re-based when code grows, and dropped where they cannot be read: never left stale. */
#ifndef WT_CODE_SECTIONS_H
#define WT_CODE_SECTIONS_H

#include "code.h"

bool wt_is_code_metadata(const wt_section *section);

/* Appends the section with new offsets, or nothing when its content is malformed. */
void wt_code_metadata_rebase(wt_job *job, const wt_code *code, const wt_section *section, wt_buf *out);

#endif
