/* What the rest of a block weighs, for every byte of a module: frames.h tells how it is called. A result is eight bytes for each
   byte of the module, little-endian: the weight, or all ones where no instruction begins. */
#include "frames.h"

static void rests(const test_module *module, char *const *settings) {
  size_t size = module->size * sizeof(uint64_t);
  uint64_t *all = (uint64_t *)(void *)room(size);
  wt_job *job = wt_job_new(NULL);
  if (!job || !set_options(job, module, settings))
    die("no job");
  for (size_t offset = 0; offset < module->size; offset++)
    if (!wt_job_rest_of_block(job, module->bytes, module->size, offset, &all[offset]))
      all[offset] = UINT64_MAX;
  wt_error error = wt_job_error(job);
  if (error.status == WT_OK)
    write_result(WT_OK, all, size);
  else
    write_result(error.status, error.message, strlen(error.message));
  wt_job_free(job);
  free(all);
}

int main(int argc, char **argv) {
  (void)argc;
  for_each_module(rests, argv + 1);
  return 0;
}
