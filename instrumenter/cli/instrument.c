/* One job of the core over one file: options and names in, the file read, run, checked and written. */
#include "instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_options.h"
#include "guest_runtime.h"
#include "gzip.h"
#include "input.h"
#include "message.h"
#include "output.h"
#include "section.h"
#include "symbols.h"
#include "weights.h"

typedef struct cli_task {
  const cli_options *options;
  const char *file;
  wt_job *job;
  cli_input input;
  cli_symbol_files symbols;
  cli_weights weights;
  cli_buffer output;
} cli_task;

static void print_undo(const cli_task *task, const char *lead) {
  fprintf(stderr, "%s: %swasm-trace --restore ", task->file, lead);
  cli_print_quoted(stderr, task->file);
  fputc('\n', stderr);
}

/* With the place, where that tells something: what a component is does not hang on a byte. */
static void print_error(const cli_task *task, const char *lead, wt_error error) {
  if (error.offset == WT_NO_OFFSET || error.status == WT_ERROR_COMPONENT)
    cli_file_error(task->file, "%s%s", lead, error.message);
  else
    cli_file_error(task->file, "%s%s at byte %zu", lead, error.message, error.offset);
}

static cli_outcome fail_job(const cli_task *task, wt_error error) {
  if (error.status == WT_ERROR_PROBE) {
    cli_usage_error("%s", error.message);
    return CLI_MISUSED;
  }
  print_error(task, "", error);
  if (error.status == WT_ERROR_TRACED && cli_output_has_original(&task->input))
    print_undo(task, "to bring back the original: ");
  return CLI_FAILED;
}

static bool read_symbols(cli_task *task) {
  const cli_options *options = task->options;
  for (size_t i = 0; i < options->count; i++)
    if (options->settings[i].option == CLI_OPTION_SYMBOLS &&
        !cli_symbols_add(&task->symbols, options->settings[i].value))
      return false;
  bool look = task->input.path != NULL && !cli_has_function_names(task->input.module);
  return !look || cli_symbols_find(&task->symbols, task->input.path);
}

static bool set_symbols(const cli_task *task) {
  for (size_t i = 0; i < task->symbols.count; i++) {
    cli_buffer content = task->symbols.files[i].content;
    if (!wt_job_set(task->job, WT_OPTION_SYMBOLS, (const char *)content.data, content.size))
      return false;
  }
  return true;
}

static bool links_heap(const cli_options *options) {
  const char *link = cli_options_get(options, CLI_OPTION_LINK);
  return link != NULL && strcmp(link, "heap") == 0;
}

static bool run_job(const cli_task *task, cli_buffer module) {
  if (links_heap(task->options))
    return wt_job_run(task->job, module.data, module.size, wt_heap_runtime, wt_heap_runtime_size);
  return wt_job_run(task->job, module.data, module.size, wt_guest_runtime, wt_guest_runtime_size);
}

static bool read_weights(cli_task *task) {
  const char *name = cli_options_get(task->options, CLI_OPTION_WEIGHTS);
  return name == NULL || cli_weights_read(name, &task->weights);
}

static bool set_weights(const cli_task *task) {
  const cli_weights *weights = &task->weights;
  return weights->content == NULL ||
         wt_job_set(task->job, WT_OPTION_WEIGHTS, (const char *)weights->content, weights->size);
}

static cli_outcome run(cli_task *task) {
  if (!read_symbols(task) || !read_weights(task))
    return CLI_FAILED;
  cli_buffer module = task->input.module;
  if (cli_core_set(task->job, task->options) && set_symbols(task) && set_weights(task) && run_job(task, module))
    return CLI_DONE;
  return fail_job(task, wt_job_error(task->job));
}

/* Prints a text of the core; `before` stands before each line. */
static void print_text(const cli_task *task, wt_text which, FILE *stream, const char *file, const char *before) {
  size_t size;
  const char *text = wt_job_text(task->job, which, &size);
  const char *end = text + size;
  while (text < end) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    const char *line_end = newline == NULL ? end : newline;
    fprintf(stream, "%s%s%.*s\n", file, before, (int)(line_end - text), text);
    text = newline == NULL ? end : newline + 1;
  }
}

static void print_symbol_files(const cli_task *task) {
  if (task->symbols.count == 0)
    return;
  fprintf(stderr, "%s: names also from ", task->file);
  for (size_t i = 0; i < task->symbols.count; i++)
    fprintf(stderr, "%s%s", i == 0 ? "" : ", ", cli_base_name(task->symbols.files[i].path));
  fputc('\n', stderr);
}

static cli_outcome list(const cli_task *task) {
  if (task->options->file_count > 1)
    printf("%s:\n", task->file);
  print_text(task, WT_TEXT_LIST, stdout, "", "");
  wt_error error = wt_job_error(task->job);
  return error.status == WT_OK ? CLI_DONE : fail_job(task, error);
}

/* An output that our own reader refuses is a mistake of ours, which must not reach a file. */
static cli_outcome check_output(const cli_task *task) {
  wt_job *job = wt_job_new(NULL);
  bool ok = job != NULL && wt_job_check(job, task->output.data, task->output.size);
  wt_error error = job == NULL ? (wt_error){WT_ERROR_MEMORY, WT_NO_OFFSET, "out of memory"} : wt_job_error(job);
  if (!ok)
    print_error(task, "a mistake of wasm-trace, please report it: the result fails its check: ", error);
  wt_job_free(job);
  return ok ? CLI_DONE : CLI_FAILED;
}

static cli_outcome assemble(cli_task *task) {
  wt_edits edits = wt_job_edits(task->job);
  if (edits.count == 0) {
    cli_file_error(task->file, "there is nothing to record");
    return CLI_FAILED;
  }
  task->output = (cli_buffer){malloc(edits.output_size), edits.output_size};
  if (task->output.data == NULL) {
    cli_file_error(task->file, "out of memory");
    return CLI_FAILED;
  }
  wt_edits_apply(edits, task->input.module.data, task->input.module.size, task->output.data);
  return check_output(task);
}

static bool ends_in_gz(const char *path) {
  size_t size = strlen(path);
  return size > 3 && strcmp(path + size - 3, ".gz") == 0;
}

/* A FILE that was gzipped stays so: whoever serves or loads it expects that. */
static cli_outcome write_output(const cli_task *task) {
  const char *path = cli_options_get(task->options, CLI_OPTION_OUTPUT);
  cli_buffer content = task->output;
  bool compress = path == NULL ? task->input.compressed : ends_in_gz(path);
  if (compress && !cli_gzip(task->output, &content)) {
    cli_file_error(task->file, "out of memory");
    return CLI_FAILED;
  }
  bool ok = path == NULL ? cli_output_in_place(&task->input, content) : cli_output_to(path, &task->input, content);
  if (compress)
    free(content.data);
  return ok ? CLI_DONE : CLI_FAILED;
}

static void print_done(const cli_task *task, bool in_place) {
  print_text(task, WT_TEXT_SUMMARY, stderr, task->file, ": ");
  if (in_place)
    print_undo(task, "the original is kept; to bring it back: ");
}

static cli_outcome perform(cli_task *task) {
  bool in_place =
      !cli_options_has(task->options, CLI_OPTION_OUTPUT) && !cli_options_has(task->options, CLI_OPTION_LIST);
  if (in_place && task->input.path == NULL) {
    cli_file_error(task->file, "is no regular file: give --output OUT");
    return CLI_FAILED;
  }
  cli_outcome outcome = run(task);
  if (outcome != CLI_DONE)
    return outcome;
  print_symbol_files(task);
  print_text(task, WT_TEXT_WARNINGS, stderr, task->file, ": warning: ");
  if (cli_options_has(task->options, CLI_OPTION_LIST))
    return list(task);
  outcome = assemble(task);
  if (outcome == CLI_DONE)
    outcome = write_output(task);
  if (outcome == CLI_DONE)
    print_done(task, in_place);
  return outcome;
}

cli_outcome cli_instrument(const cli_options *options, const char *file) {
  cli_task task = {.options = options, .file = file, .job = wt_job_new(NULL)};
  cli_outcome outcome = CLI_FAILED;
  if (task.job == NULL)
    cli_file_error(file, "out of memory");
  else if (cli_input_read(file, &task.input))
    outcome = perform(&task);
  wt_job_free(task.job);
  free(task.output.data);
  cli_symbols_free(&task.symbols);
  cli_weights_free(&task.weights);
  cli_input_free(&task.input);
  return outcome;
}
