/* The n-th allocation fails, for every n, once alone and once with all behind it, all the way through a job: it ends in "out of
   memory" or as it would have without, and everything is given back. frames.h tells what comes in; a result is status 0, or
   what went wrong and where. */
#include "frames.h"

typedef struct heap {
  size_t allocations; /* that were asked for */
  size_t fail_at;
  bool only_one; /* else all behind it fail too */
  size_t bytes;  /* in use */
} heap;

static bool fails(const heap *h, size_t n) { return h->only_one ? n == h->fail_at : n >= h->fail_at; }

static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
  heap *h = user;
  if (new_size == 0) {
    free(old);
    h->bytes -= old_size;
    return NULL;
  }
  if (fails(h, h->allocations++))
    return NULL;
  void *grown = realloc(old, new_size);
  if (grown)
    h->bytes += new_size - old_size;
  return grown;
}

/* What a job came to. */
typedef struct outcome {
  wt_status status;
  uint32_t sum; /* of the edits, what they insert, and the texts */
} outcome;

static uint32_t add_to_sum(uint32_t sum, const void *data, size_t size) {
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ ((const uint8_t *)data)[i]) * 16777619u; /* FNV-1a */
  return sum;
}

static uint32_t sum_of(wt_edits edits) {
  uint32_t sum = add_to_sum(2166136261u, edits.edits, edits.count * sizeof(wt_edit));
  return add_to_sum(sum, edits.inserts, edits.inserts_size);
}

static uint32_t add_texts(wt_job *job, uint32_t sum) {
  for (int which = WT_TEXT_LIST; which <= WT_TEXT_MISSES; which++) {
    size_t size;
    const char *text = wt_job_text(job, (wt_text)which, &size);
    sum = add_to_sum(sum, text, size);
  }
  return sum;
}

#define MOST_PADDING 4096
#define PADDINGS 4

/* A job's small allocations share blocks: padding moves the places at which a new block is asked for. */
static void pad(wt_job *job, size_t padding) {
  static const char name[MOST_PADDING];
  size_t size;
  wt_job_demangle(job, name, padding, &size);
}

/* A job that cannot even be made is out of memory. */
static outcome run_job(heap *h, const test_module *module, char *const *settings, size_t padding) {
  wt_allocator allocator = {resize, h};
  wt_job *job = wt_job_new(&allocator);
  if (!job)
    return (outcome){WT_ERROR_MEMORY, 0};
  pad(job, padding);
  if (set_options(job, module, settings))
    run_job_on(job, module, settings);
  outcome result = {.sum = add_texts(job, sum_of(wt_job_edits(job)))};
  result.status = wt_job_error(job).status;
  wt_job_free(job);
  return result;
}

static bool same(outcome a, outcome b) { return a.status == b.status && a.sum == b.sum; }

/* Walks n upward through all allocations of the job. false: `message` says at which one it went wrong. */
static bool walk(const test_module *module, char *const *settings, size_t padding, char *message, size_t size) {
  heap h = {.fail_at = SIZE_MAX};
  outcome expected = run_job(&h, module, settings, padding);
  if (h.bytes || expected.status == WT_ERROR_MEMORY) {
    snprintf(message, size, "%zu bytes left, status %d", h.bytes, (int)expected.status);
    return false;
  }
  for (size_t n = 0; n < h.allocations * 2; n++) {
    heap failing = {.fail_at = n / 2, .only_one = n % 2};
    outcome found = run_job(&failing, module, settings, padding);
    if ((found.status == WT_ERROR_MEMORY || same(found, expected)) && !failing.bytes)
      continue;
    snprintf(message, size, "padding %zu, allocation %zu of %zu%s: status %d, %zu bytes left", padding, n / 2,
             h.allocations, failing.only_one ? ", it alone" : "", (int)found.status, failing.bytes);
    return false;
  }
  return true;
}

static void walk_paddings(const test_module *module, char *const *settings) {
  char message[128] = "";
  size_t step = MOST_PADDING / PADDINGS, first = module->size % step;
  for (size_t padding = first; padding < MOST_PADDING; padding += step)
    if (!walk(module, settings, padding, message, sizeof message))
      break;
  write_result(*message ? WT_ERROR_MEMORY : WT_OK, message, strlen(message));
}

int main(int argc, char **argv) {
  (void)argc;
  for_each_module(walk_paddings, argv + 1);
  return 0;
}
