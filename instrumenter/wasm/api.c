/* The instrumenter's flat face for JavaScript: numbers only, results as pointers to small tables of 32-bit words. An
   instance serves one job at a time, so the tables may be static: they are this host's, not the core's. What is freed
   serves the next job; a job that is not freed goes away with its instance. js/loader/instrumenter.js is the one caller;
   exports.txt lists what it may call. */
#include "wasm_trace.h"

#include <stdlib.h>
#include <string.h>

/* What the libraries would ask of the host, answered here, so that it need not be imported: the regular expressions ask for
   the locale, and the demangler prints before it gives up on a state it thinks impossible. */
char *getenv(const char *name) {
  (void)name;
  return NULL;
}

_Noreturn void abort_message(const char *format, ...) {
  (void)format;
  __builtin_trap();
}

/* Of the one job's output. */
static wt_edits_cursor cursor;

/* Addresses go out as numbers. */
static uint32_t address(const void *pointer) { return (uint32_t)(uintptr_t)pointer; }

/* Room for `size` bytes, aligned for anything. NULL when out of memory, and only then. */
void *wt_api_alloc(uint32_t size) { return malloc(size > 0 ? size : 1); }

void wt_api_free(void *pointer) { free(pointer); }

wt_job *wt_api_job(void) {
  cursor = (wt_edits_cursor){0};
  return wt_job_new(NULL);
}

void wt_api_job_free(wt_job *job) { wt_job_free(job); }

/* `option` is a wt_option. */
bool wt_api_set(wt_job *job, uint32_t option, const char *text, uint32_t size) {
  return wt_job_set(job, (wt_option)option, text, size);
}

bool wt_api_run(wt_job *job, const uint8_t *module, uint32_t size, const uint8_t *runtime, uint32_t runtime_size) {
  return wt_job_run(job, module, size, runtime, runtime_size);
}

bool wt_api_check(wt_job *job, const uint8_t *module, uint32_t size) { return wt_job_check(job, module, size); }

/* {low, high}; NULL when no instruction begins there, or on an error */
const uint32_t *wt_api_rest_of_block(wt_job *job, const uint8_t *module, uint32_t size, uint32_t offset) {
  static uint32_t words[2];
  uint64_t rest;
  if (!wt_job_rest_of_block(job, module, size, offset, &rest))
    return NULL;
  words[0] = (uint32_t)rest;
  words[1] = (uint32_t)(rest >> 32);
  return words;
}

/* {status, offset (all ones: none), message, its length} */
const uint32_t *wt_api_error(const wt_job *job) {
  static uint32_t words[4];
  wt_error error = wt_job_error(job);
  words[0] = (uint32_t)error.status;
  words[1] = (uint32_t)error.offset;
  words[2] = address(error.message);
  words[3] = (uint32_t)strlen(error.message);
  return words;
}

/* {edits, their count, inserts, their size, size of the output}; an edit is {copy_end, resume, insert_size} */
const uint32_t *wt_api_edits(const wt_job *job) {
  _Static_assert(sizeof(wt_edit) == 3 * sizeof(uint32_t), "the caller reads an edit as three words");
  static uint32_t words[5];
  wt_edits edits = wt_job_edits(job);
  words[0] = address(edits.edits);
  words[1] = (uint32_t)edits.count;
  words[2] = address(edits.inserts);
  words[3] = (uint32_t)edits.inserts_size;
  words[4] = (uint32_t)edits.output_size;
  return words;
}

/* The next part of the output: {bytes, their count}; count 0 at the end. `module` is what wt_api_run was given. In parts,
   because fresh memory for all of it would take longer than the copying. */
const uint32_t *wt_api_output(const wt_job *job, const uint8_t *module, uint32_t size) {
  static uint8_t part[1u << 17];
  static uint32_t words[2];
  words[0] = address(part);
  words[1] = (uint32_t)wt_edits_read(wt_job_edits(job), module, size, &cursor, part, sizeof part);
  return words;
}

static const uint32_t *text_words(const char *text, size_t size) {
  static uint32_t words[2];
  words[0] = address(text);
  words[1] = (uint32_t)size;
  return words;
}

/* {text, its length}; `which` is a wt_text */
const uint32_t *wt_api_text(wt_job *job, uint32_t which) {
  size_t size = 0;
  const char *text = wt_job_text(job, (wt_text)which, &size);
  return text_words(text, size);
}

/* {text, its length}; NULL when out of memory */
const uint32_t *wt_api_demangle(wt_job *job, const char *name, uint32_t size) {
  size_t out_size = 0;
  const char *text = wt_job_demangle(job, name, size, &out_size);
  return text ? text_words(text, out_size) : NULL;
}
