/* Names of the appended functions, at the end of the name section's function names. */
#ifndef WT_NAME_ENTRIES_H
#define WT_NAME_ENTRIES_H

#include "link.h"

bool wt_is_name_section(const wt_section *section);

/* Appends the extended section. false, with nothing appended, when it has no function names that can be extended. */
bool wt_name_section_extend(wt_job *job, const wt_module *module, const wt_section *section, const wt_link *link, wt_buf *out);

#endif
