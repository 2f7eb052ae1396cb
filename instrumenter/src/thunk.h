/* A thunk stands between the debuggee's direct calls of an import and the import: it records arguments and results, and
   keeps position and base right whatever the host does in between. */
#ifndef WT_THUNK_H
#define WT_THUNK_H

#include "link.h"

/* Appends locals and code of the import's thunk. */
void wt_thunk_write(wt_link *link, wt_buf *body, uint32_t import);

#endif
