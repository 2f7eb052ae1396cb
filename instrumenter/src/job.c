/* Jobs: their options, their first error, and the run itself as a list of steps. */
#include "job.h"

#include "check.h"
#include "rewrite.h"
#include "text.h"
#include "weights.h"

#include <string.h>

wt_job *wt_job_new(const wt_allocator *allocator) {
  wt_arena arena;
  wt_arena_init(&arena, allocator);
  wt_job *job = wt_arena_alloc(&arena, sizeof(wt_job));
  if (!job) {
    wt_arena_free(&arena);
    return NULL;
  }
  job->arena = arena;
  job->error = (wt_error){WT_OK, WT_NO_OFFSET, ""};
  wt_buf_init(&job->inserts, &job->arena.allocator);
  wt_buf_init(&job->edit_list, &job->arena.allocator);
  return job;
}

/* The job itself lives in its arena, so the arena is moved out before it is freed. */
void wt_job_free(wt_job *job) {
  if (!job)
    return;
  wt_buf_free(&job->inserts);
  wt_buf_free(&job->edit_list);
  wt_arena arena = job->arena;
  wt_arena_free(&arena);
}

wt_error wt_job_error(const wt_job *job) { return job->error; }

/* ---- options ---- */

static bool add_slice(wt_job *job, wt_slices *slices, wt_slice slice) {
  if (slices->count == slices->capacity) {
    size_t capacity = slices->capacity ? slices->capacity * 2 : 4;
    wt_slice *items = wt_arena_array(&job->arena, capacity, sizeof(wt_slice));
    if (!items)
      return wt_fail_memory(job);
    if (slices->count)
      memcpy(items, slices->items, slices->count * sizeof(wt_slice));
    slices->items = items;
    slices->capacity = capacity;
  }
  slices->items[slices->count++] = slice;
  return true;
}

static bool fail_option(wt_job *job, const char *what, const char *text) {
  return wt_fail(job, WT_ERROR_PROBE, WT_NO_OFFSET, "%s: \"%s\"", what, text);
}

/* callers(PATTERN) or callers:PATTERN: whose callers and callees are shown is the reader's business. */
static bool is_callers(const char *text) {
  static const char word[] = "callers";
  char behind = strncmp(text, word, sizeof word - 1) == 0 ? text[sizeof word - 1] : '\0';
  return behind == '(' || behind == ':';
}

static bool set_display(wt_job *job, const char *text) {
  static const struct {
    const char *name;
    wt_display display;
  } displays[] = {{"log", WT_DISPLAY_LOG},       {"nested", WT_DISPLAY_NESTED},
                  {"tree", WT_DISPLAY_TREE},     {"histogram", WT_DISPLAY_HISTOGRAM},
                  {"report", WT_DISPLAY_REPORT}, {"inverted", WT_DISPLAY_INVERTED}};
  if (is_callers(text)) {
    job->options.displays |= WT_DISPLAY_CALLERS;
    return true;
  }
  for (size_t i = 0; i < WT_COUNT_OF(displays); i++)
    if (strcmp(text, displays[i].name) == 0) {
      job->options.displays |= displays[i].display;
      return true;
    }
  return fail_option(
      job, "unknown display (the displays are log, nested, tree, inverted, callers(PATTERN), report, histogram)", text);
}

/* Decimal digits; false on anything else or on overflow past `most`. */
static bool parse_decimal(const char *text, size_t size, uint64_t most, uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < size; i++) {
    if (text[i] < '0' || text[i] > '9' || *value > (most - (uint64_t)(text[i] - '0')) / 10)
      return false;
    *value = *value * 10 + (uint64_t)(text[i] - '0');
  }
  return size > 0;
}

#define LEAST_BUFFER 4096u
#define MOST_BUFFER (UINT64_C(1) << 30)

static bool set_buffer(wt_job *job, const char *text) {
  size_t size = strlen(text);
  unsigned shift = 0;
  char unit = size ? text[size - 1] : '\0';
  if (unit == 'K' || unit == 'k')
    shift = 10;
  else if (unit == 'M' || unit == 'm')
    shift = 20;
  else if (unit == 'G' || unit == 'g')
    shift = 30;
  uint64_t value;
  if (!parse_decimal(text, size - (shift != 0), MOST_BUFFER, &value) || value << shift < LEAST_BUFFER ||
      value << shift > MOST_BUFFER)
    return fail_option(job, "--buffer is a size from 4K to 1G", text);
  job->options.buffer_size = value << shift;
  return true;
}

static bool set_min_size(wt_job *job, const char *text) {
  uint64_t value;
  if (!parse_decimal(text, strlen(text), UINT32_MAX, &value))
    return fail_option(job, "--min-size is a number of bytes", text);
  job->options.min_size = (uint32_t)value;
  job->options.min_size_given = true;
  return true;
}

static bool set_link(wt_job *job, const char *text) {
  job->options.split = strcmp(text, "split") == 0;
  job->options.heap = strcmp(text, "heap") == 0;
  job->options.link_given = strcmp(text, "auto") != 0;
  return job->options.split || job->options.heap || !job->options.link_given || strcmp(text, "merged") == 0 ||
         fail_option(job, "--link is auto, merged, split or heap", text);
}

/* The first slots of the hash are for half as many nodes. */
#define LEAST_NODES 256u
#define MOST_NODES (UINT32_C(1) << 22)

static bool set_nodes(wt_job *job, const char *text) {
  uint64_t value;
  if (!parse_decimal(text, strlen(text), MOST_NODES, &value) || value < LEAST_NODES || (value & (value - 1)))
    return fail_option(job, "--nodes is a power of two from 256 to 4194304", text);
  job->options.nodes = (uint32_t)value;
  return true;
}

static const struct {
  const char *name;
  wt_clock_option clock;
} clocks[] = {{"none", WT_CLOCK_OPTION_NONE},
              {"auto", WT_CLOCK_OPTION_AUTO},
              {"ticker", WT_CLOCK_OPTION_TICKER},
              {"instructions", WT_CLOCK_OPTION_INSTRUCTIONS},
              {"host", WT_CLOCK_OPTION_HOST}};

static bool find_clock(const char *text, wt_clock_option *clock) {
  for (size_t i = 0; i < WT_COUNT_OF(clocks); i++)
    if (strcmp(text, clocks[i].name) == 0) {
      *clock = clocks[i].clock;
      return true;
    }
  return false;
}

static bool set_clock(wt_job *job, wt_slice slice, const char *text) {
  static const char word[] = "import:";
  wt_options *options = &job->options;
  options->clock_given = true;
  if (strncmp(text, word, sizeof word - 1) == 0) {
    options->clock = WT_CLOCK_OPTION_IMPORT;
    options->clock_import = (wt_slice){slice.data + sizeof word - 1, slice.size - (sizeof word - 1)};
    return true;
  }
  return find_clock(text, &options->clock) ||
         fail_option(job, "--clock is none, ticker, instructions, host, import:MODULE.NAME or auto", text);
}

static bool set_count(wt_job *job, const char *what, const char *text, uint64_t *value) {
  return parse_decimal(text, strlen(text), UINT64_C(1) << 62, value) || fail_option(job, what, text);
}

static bool set_full(wt_job *job, const char *text) {
  static const char *const names[] = {"overwrite", "drain", "stop", "aggregate"}; /* in the order of WTR_FULL_... */
  for (uint32_t i = 0; i < WT_COUNT_OF(names); i++)
    if (strcmp(text, names[i]) == 0) {
      job->options.full = i;
      return true;
    }
  return fail_option(job, "--on-full is overwrite, drain, stop or aggregate", text);
}

bool wt_job_set(wt_job *job, wt_option option, const char *text, size_t size) {
  wt_options *options = &job->options;
  options->symbols_guessed |= option == WT_OPTION_GUESSED_SYMBOLS;
  if (option == WT_OPTION_SYMBOLS || option == WT_OPTION_GUESSED_SYMBOLS)
    return add_slice(job, &options->symbols, (wt_slice){(const uint8_t *)text, size});
  if (option == WT_OPTION_WEIGHTS) {
    options->weights = wt_weights_read(job, (wt_slice){(const uint8_t *)text, size});
    return options->weights != NULL;
  }
  char *copy = wt_arena_copy(&job->arena, text, size);
  if (!copy)
    return wt_fail_memory(job);
  wt_slice slice = {(const uint8_t *)copy, size};
  bool on = strcmp(copy, "1") == 0;
  switch (option) {
  case WT_OPTION_TRACE: return add_slice(job, &options->traces, slice);
  case WT_OPTION_DISPLAY: return set_display(job, copy) && add_slice(job, &options->display_names, slice);
  case WT_OPTION_HIDE: return add_slice(job, &options->hides, slice);
  case WT_OPTION_ONLY: return add_slice(job, &options->onlys, slice);
  case WT_OPTION_MIN_SIZE: return set_min_size(job, copy);
  case WT_OPTION_LINK: return set_link(job, copy);
  case WT_OPTION_BUFFER: return set_buffer(job, copy);
  case WT_OPTION_STACK: options->stack = on; return true;
  case WT_OPTION_DEFER_START: options->defer_start = on; return true;
  case WT_OPTION_LEGACY_EXCEPTIONS: options->legacy_exceptions = on; return true;
  case WT_OPTION_SOME_MATCH: options->some_match = on; return true;
  case WT_OPTION_SHARED: options->shared = on; return true;
  case WT_OPTION_CLOCK: return set_clock(job, slice, copy);
  case WT_OPTION_AUTO_CLOCK:
    return find_clock(copy, &options->auto_clock) || fail_option(job, "no clock for auto", copy);
  case WT_OPTION_FROM: return add_slice(job, &options->froms, slice);
  case WT_OPTION_UNTIL: return add_slice(job, &options->untils, slice);
  case WT_OPTION_SKIP: return set_count(job, "--skip is a number of events", copy, &options->skip);
  case WT_OPTION_MAX_EVENTS: return set_count(job, "--max-events is a number of events", copy, &options->max_events);
  case WT_OPTION_ON_FULL: return set_full(job, copy);
  case WT_OPTION_STOPPED: options->stopped = on; return true;
  case WT_OPTION_ALLOCATOR: options->allocator = slice; return true;
  case WT_OPTION_NODES: return set_nodes(job, copy);
  case WT_OPTION_WALL: options->wall = on; return true;
  default: return fail_option(job, "unknown option", copy);
  }
}

/* ---- runs ---- */

/* Some part did without memory that it asked for: then nothing that was found out later counts, errors included. */
static bool fail_late(wt_job *job) {
  job->error.status = WT_OK;
  return wt_fail_memory(job);
}

bool wt_job_run(wt_job *job, const uint8_t *module, size_t module_size, const uint8_t *runtime, size_t runtime_size) {
  if (job->error.status != WT_OK)
    return false;
  wt_slice file = {module, module_size};
  bool done = job->options.traces.count == 0 ? wt_check_module(job, file)
                                             : wt_rewrite(job, file, (wt_slice){runtime, runtime_size});
  if (job->arena.failed)
    done = fail_late(job);
  if (!done) {
    job->edits = (wt_edits){0};
    return false;
  }
  job->edits.edits = (const wt_edit *)(const void *)job->edit_list.data;
  job->edits.count = job->edit_list.size / sizeof(wt_edit);
  job->edits.inserts = job->inserts.data;
  job->edits.inserts_size = job->inserts.size;
  if (job->edits.count == 0)
    job->edits.output_size = module_size;
  return true;
}

bool wt_job_check(wt_job *job, const uint8_t *module, size_t module_size) {
  return job->error.status == WT_OK && wt_check_module(job, (wt_slice){module, module_size});
}

wt_edits wt_job_edits(const wt_job *job) { return job->edits; }

const char *wt_job_text(wt_job *job, wt_text which, size_t *size) {
  bool known = job->run && (unsigned)which < WT_COUNT_OF(job->texts);
  if (known && !job->texts[which])
    job->texts[which] = wt_text_make(job, job->run, which);
  if (known && !job->texts[which])
    wt_fail_memory(job);
  const char *text = known && job->texts[which] ? job->texts[which] : "";
  *size = strlen(text);
  return text;
}

const char *wt_job_demangle(wt_job *job, const char *name, size_t size, size_t *out_size) {
  wt_slice readable = wt_demangle(&job->arena, (wt_slice){(const uint8_t *)name, size});
  if (!readable.data)
    return NULL;
  char *copy = wt_arena_copy(&job->arena, readable.data, readable.size);
  *out_size = copy ? readable.size : 0;
  return copy;
}
