/* Custom sections in which tools keep book of a module (tool-conventions): "producers", which tools made it, and
   "target_features", which proposals it uses. Ours is added to those that are there; none is made, since who stripped them
   wants none. */
#ifndef WT_TOOL_SECTIONS_H
#define WT_TOOL_SECTIONS_H

#include "module.h"

bool wt_is_producers(const wt_section *section);
bool wt_is_target_features(const wt_section *section);

/* The section carries relocations or the symbols they refer to: its module is an object file, or linked with
   --emit-relocs. */
bool wt_is_relocation(const wt_section *section);

/* Append the whole section as it is to be. false when it stays as it is: there is nothing to add, or it is malformed. */
bool wt_producers_extend(wt_job *job, const wt_module *module, const wt_section *section, wt_buf *out);
bool wt_target_features_extend(wt_job *job, const wt_module *module, const wt_section *section, uint64_t features,
                               wt_buf *out);

#endif
