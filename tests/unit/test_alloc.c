/* The n-th allocation fails, for every n, all the way through a job: a clean "out of memory", and everything is given back.
   The module uses what makes the instrumenter allocate: values, results, imports, handlers, hints, names, sections of tools. */
#include "guest_runtime.h"
#include "wasm_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct heap {
  size_t allocations; /* that were asked for */
  size_t fail_at;     /* the first one that fails; all behind it fail too */
  size_t bytes;       /* in use */
} heap;

static void *resize(void *user, void *old, size_t old_size, size_t new_size) {
  heap *h = user;
  if (new_size == 0) {
    free(old);
    h->bytes -= old_size;
    return NULL;
  }
  if (h->allocations++ >= h->fail_at)
    return NULL;
  void *grown = realloc(old, new_size);
  if (grown)
    h->bytes += new_size - old_size;
  return grown;
}

/* Types [i32] -> [i32 i64], [] -> []; imports env.log of the first, env.go of the second; function 2 of the first calls
   both inside a try and grows the memory; function 3 is exported and calls function 2. */
/* clang-format off */
static const uint8_t module[] = {
    0, 'a', 's', 'm', 1, 0, 0, 0,
    1, 10, 2, 0x60, 1, 0x7f, 2, 0x7f, 0x7e, 0x60, 0, 0,
    2, 20, 2, 3, 'e', 'n', 'v', 3, 'l', 'o', 'g', 0, 0, 3, 'e', 'n', 'v', 2, 'g', 'o', 0, 1,
    3, 3, 2, 0, 1,
    5, 3, 1, 0, 1,
    7, 7, 1, 3, 'r', 'u', 'n', 0, 3,
    0, 32, 25, 'm', 'e', 't', 'a', 'd', 'a', 't', 'a', '.', 'c', 'o', 'd', 'e', '.',
    'b', 'r', 'a', 'n', 'c', 'h', '_', 'h', 'i', 'n', 't', 1, 2, 1, 5, 1, 0,
    10, 30, 2,
    19, 0, 0x06, 0x40, 0x10, 1, 0x20, 0, 0x40, 0, 0x1a, 0x19, 0x0b, 0x20, 0, 0x10, 0, 0x0f, 0x00, 0x0b,
    8, 0, 0x41, 1, 0x10, 2, 0x1a, 0x1a, 0x0b,
    0, 21, 4, 'n', 'a', 'm', 'e', 1, 14, 2, 2, 4, 'm', 'a', 'i', 'n', 3, 5, 'o', 'u', 't', 'e', 'r',
    0, 28, 9, 'p', 'r', 'o', 'd', 'u', 'c', 'e', 'r', 's',
    1, 12, 'p', 'r', 'o', 'c', 'e', 's', 's', 'e', 'd', '-', 'b', 'y', 1, 1, 'c', 0,
    0, 17, 15, 't', 'a', 'r', 'g', 'e', 't', '_', 'f', 'e', 'a', 't', 'u', 'r', 'e', 's', 0,
};
/* clang-format on */

typedef struct setting {
  wt_option option;
  const char *text;
} setting;

#define MOST_SETTINGS 8
#define MOST_PADDING 4096
#define PADDING_STEP 128

static const setting plans[][MOST_SETTINGS] = {
    {{WT_OPTION_TRACE, "calls"}, {WT_OPTION_MIN_SIZE, "0"}},
    {{WT_OPTION_TRACE, "args(*)"},
     {WT_OPTION_TRACE, "ret(/a/)"},
     {WT_OPTION_TRACE, "imports"},
     {WT_OPTION_TRACE, "memory.grow"},
     {WT_OPTION_TRACE, "traps"},
     {WT_OPTION_STACK, "1"},
     {WT_OPTION_ONLY, "m*"},
     {WT_OPTION_HIDE, "\"outer\""}},
    {{WT_OPTION_TRACE, "args(*)"}, {WT_OPTION_DISPLAY, "histogram"}, {WT_OPTION_SYMBOLS, "2:_ZN3foo3barEv\n"}},
    {{WT_OPTION_TRACE, "calls"}, {WT_OPTION_BUFFER, "1M"}, {WT_OPTION_DISPLAY, "nested"}, {WT_OPTION_DEFER_START, "1"}},
    {{WT_OPTION_TRACE, "calls(nobody)"}}, /* suggestions allocate too */
};

#define NO_MATCH_PLAN (sizeof plans / sizeof plans[0] - 1)

static const char *const links[] = {"merged", "split"};

static bool set_all(wt_job *job, const setting *settings, const char *link) {
  for (size_t i = 0; i < MOST_SETTINGS && settings[i].text; i++)
    if (!wt_job_set(job, settings[i].option, settings[i].text, strlen(settings[i].text)))
      return false;
  return wt_job_set(job, WT_OPTION_LINK, link, strlen(link));
}

static void ask_for_texts(wt_job *job) {
  size_t size;
  for (int which = WT_TEXT_LIST; which <= WT_TEXT_WARNINGS; which++)
    wt_job_text(job, (wt_text)which, &size);
  wt_job_demangle(job, "_ZN3foo3barEv", 13, &size);
}

typedef struct outcome {
  wt_status status;
  uint32_t sum; /* of the edits and what they insert */
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

/* A job's small allocations share blocks: padding moves the places at which a new block is asked for. */
static void pad(wt_job *job, size_t padding) {
  static const char name[MOST_PADDING];
  size_t size;
  wt_job_demangle(job, name, padding, &size);
}

/* A job that cannot even be made is out of memory. */
static outcome run_job(const wt_allocator *allocator, const setting *settings, const char *link, size_t padding) {
  wt_job *job = wt_job_new(allocator);
  if (!job)
    return (outcome){WT_ERROR_MEMORY, 0};
  pad(job, padding);
  if (set_all(job, settings, link))
    wt_job_run(job, module, sizeof module, wt_guest_runtime, wt_guest_runtime_size);
  outcome result = {wt_job_error(job).status, sum_of(wt_job_edits(job))};
  ask_for_texts(job);
  wt_job_free(job);
  return result;
}

static bool same(outcome a, outcome b) { return a.status == b.status && a.sum == b.sum; }

/* Walks n upward until the job no longer notices. */
static int walk(size_t plan, const char *link, size_t padding) {
  heap h = {0, SIZE_MAX, 0};
  wt_allocator allocator = {resize, &h};
  outcome without = run_job(&allocator, plans[plan], link, padding);
  if (without.status != (plan == NO_MATCH_PLAN ? WT_ERROR_NO_MATCH : WT_OK) || h.bytes) {
    printf("plan %zu, %s, padding %zu: status %d, %zu bytes left\n", plan, link, padding, (int)without.status, h.bytes);
    return 1;
  }
  size_t all = h.allocations;
  int failures = 0;
  for (size_t n = 0; n < all; n++) {
    h = (heap){0, n, 0};
    outcome with = run_job(&allocator, plans[plan], link, padding);
    if ((with.status == WT_ERROR_MEMORY || same(with, without)) && !h.bytes)
      continue;
    printf("plan %zu, %s, padding %zu, allocation %zu of %zu: status %d, %zu bytes left\n", plan, link, padding, n, all,
           (int)with.status, h.bytes);
    failures++;
  }
  return failures;
}

int main(void) {
  int failures = 0;
  for (size_t plan = 0; plan < sizeof plans / sizeof plans[0]; plan++)
    for (size_t link = 0; link < sizeof links / sizeof links[0]; link++)
      for (size_t padding = 0; padding < MOST_PADDING; padding += PADDING_STEP)
        failures += walk(plan, links[link], padding);
  return failures ? 1 : 0;
}
