/* The native instrumenter for tests that make thousands of modules: frames.h tells how. A result is the instrumented module, or
   the message. Every output is also read by our own checker. */
#include "frames.h"

static void write_output(const wt_job *job, const test_module *module) {
  wt_edits edits = wt_job_edits(job);
  uint8_t *output = room(edits.output_size);
  wt_edits_apply(edits, module->bytes, module->size, output);
  wt_job *check = wt_job_new(NULL);
  if (!check || !wt_job_check(check, output, edits.output_size))
    write_result(WT_ERROR_MODULE, "the output fails our own check", 30);
  else
    write_result(WT_OK, output, edits.output_size);
  wt_job_free(check);
  free(output);
}

static void transform(const test_module *module, char *const *settings) {
  wt_job *job = wt_job_new(NULL);
  if (!job)
    die("out of memory");
  if (set_options(job, module, settings) && run_job_on(job, module, settings)) {
    write_output(job, module);
  } else {
    wt_error error = wt_job_error(job);
    write_result(error.status, error.message, strlen(error.message));
  }
  wt_job_free(job);
}

int main(int argc, char **argv) {
  (void)argc;
  for_each_module(transform, argv + 1);
  return 0;
}
