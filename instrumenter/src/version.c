/* The version of the package: CMake takes it from package.json and defines WT_VERSION. */
#include "wasm_trace.h"

const char *wt_version(void) { return WT_VERSION; }
