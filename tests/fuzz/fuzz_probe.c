/* libFuzzer: any text as a probe, a pattern to hide, a file of symbols and a symbol to demangle, over a module with a few
   names. */
#include "guest_runtime.h"
#include "wasm_trace.h"

#include <string.h>

/* Function 0 is the import env.log; "main" and a C++ name are defined and in the name section. */
/* clang-format off */
static const uint8_t module[] = {
    0, 'a', 's', 'm', 1, 0, 0, 0,
    1, 5, 1, 0x60, 1, 0x7f, 0,
    2, 11, 1, 3, 'e', 'n', 'v', 3, 'l', 'o', 'g', 0, 0,
    3, 3, 2, 0, 0,
    10, 7, 2, 2, 0, 0x0b, 2, 0, 0x0b,
    0, 30, 4, 'n', 'a', 'm', 'e', 1, 23, 2, 1, 4, 'm', 'a', 'i', 'n', 2, 13,
    '_', 'Z', 'N', '3', 'f', 'o', 'o', '3', 'b', 'a', 'r', 'E', 'v',
};
/* clang-format on */

/* The C library's regular expressions are not ours to test, and some take for ever. */
static bool has_regex(const uint8_t *data, size_t size) { return memchr(data, '/', size) != NULL; }

static void run(wt_option option, const char *text, size_t size) {
  wt_job *job = wt_job_new(NULL);
  size_t text_size;
  bool set = option == WT_OPTION_TRACE || wt_job_set(job, WT_OPTION_TRACE, "calls(*)", 8);
  if (set && wt_job_set(job, option, text, size))
    wt_job_run(job, module, sizeof module, wt_guest_runtime, wt_guest_runtime_size);
  wt_job_demangle(job, text, size, &text_size);
  wt_job_free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (has_regex(data, size))
    return 0;
  run(WT_OPTION_TRACE, (const char *)data, size);
  run(WT_OPTION_HIDE, (const char *)data, size);
  run(WT_OPTION_SYMBOLS, (const char *)data, size);
  return 0;
}
