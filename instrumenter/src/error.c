/* The one recorder of errors. */
#include "job.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool wt_fail(wt_job *job, wt_status status, size_t offset, const char *format, ...) {
  if (job->error.status != WT_OK)
    return false;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char *message = size < 0 ? NULL : wt_arena_copy(&job->arena, text, strlen(text));
  if (!message)
    return wt_fail_memory(job);
  job->error = (wt_error){status, offset, message};
  return false;
}

bool wt_fail_memory(wt_job *job) {
  if (job->error.status == WT_OK)
    job->error = (wt_error){WT_ERROR_MEMORY, WT_NO_OFFSET, "out of memory"};
  return false;
}
