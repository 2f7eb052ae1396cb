/* A shim stands in the place of a function among the exports: what is called through it was called from outside. */
#ifndef WT_SHIM_H
#define WT_SHIM_H

#include "link.h"

/* Appends locals and code of the shim of an exported function. */
void wt_shim_write(wt_link *link, wt_buf *body, uint32_t func);

#endif
