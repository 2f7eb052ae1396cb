/* guest-runtime.wasm and guest-runtime-heap.wasm, put into the program by the build (cmake/generate.mjs). */
#ifndef WT_CLI_GUEST_RUNTIME_H
#define WT_CLI_GUEST_RUNTIME_H

#include <stddef.h>

extern const unsigned char wt_guest_runtime[];
extern const size_t wt_guest_runtime_size;

/* For link mode heap. */
extern const unsigned char wt_heap_runtime[];
extern const size_t wt_heap_runtime_size;

#endif
