/* libFuzzer: any bytes as a module. The first byte chooses what is asked. What comes out must pass our own check, and the
   same bytes must give the same output. */
#include "guest_runtime.h"
#include "wasm_trace.h"

#include <stdlib.h>
#include <string.h>

static const char *const traces[] = {"calls",       "args(*)", "imports",   "ret(*)",
                                     "memory.grow", "traps",   "stack(#1)", "calls:r*"};
static const char *const displays[] = {"log", "tree", "nested", "log"};

static void set(wt_job *job, wt_option option, const char *text) { wt_job_set(job, option, text, strlen(text)); }

static wt_job *new_job(uint8_t choice) {
  wt_job *job = wt_job_new(NULL);
  set(job, WT_OPTION_TRACE, traces[choice & 7]);
  set(job, WT_OPTION_DISPLAY, displays[choice >> 3 & 3]);
  set(job, WT_OPTION_LINK, choice & 32 ? "split" : "merged");
  set(job, WT_OPTION_MIN_SIZE, "0");
  set(job, WT_OPTION_DEFER_START, choice & 64 ? "1" : "0");
  set(job, WT_OPTION_LEGACY_EXCEPTIONS, choice & 128 ? "1" : "0");
  return job;
}

static void check_output(const uint8_t *output, size_t size) {
  wt_job *job = wt_job_new(NULL);
  if (!wt_job_check(job, output, size))
    abort();
  wt_job_free(job);
}

static void check_same(wt_edits edits, uint8_t choice, const uint8_t *module, size_t size) {
  wt_job *job = new_job(choice);
  wt_job_run(job, module, size, wt_guest_runtime, wt_guest_runtime_size);
  wt_edits again = wt_job_edits(job);
  if (again.count != edits.count || again.inserts_size != edits.inserts_size ||
      (edits.inserts_size && memcmp(again.inserts, edits.inserts, edits.inserts_size) != 0))
    abort();
  wt_job_free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  const uint8_t *module = data + 1;
  wt_job *job = new_job(data[0]);
  if (wt_job_run(job, module, size - 1, wt_guest_runtime, wt_guest_runtime_size)) {
    wt_edits edits = wt_job_edits(job);
    uint8_t *output = malloc(edits.output_size);
    wt_edits_apply(edits, module, size - 1, output);
    check_output(output, edits.output_size);
    check_same(edits, data[0], module, size - 1);
    size_t text_size;
    wt_job_text(job, WT_TEXT_LIST, &text_size);
    free(output);
  }
  wt_job_free(job);
  return 0;
}
