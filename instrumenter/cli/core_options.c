#include "core_options.h"

#include <string.h>

#include "guest_runtime.h"
#include "message.h"

/* In the order in which js/loader/instrumenter.js sets them, so that of two errors both commands report the same. */
static const struct core_option {
  cli_option from;
  wt_option to;
} core_options[] = {
    {CLI_OPTION_TRACE, WT_OPTION_TRACE},     {CLI_OPTION_DISPLAY, WT_OPTION_DISPLAY},
    {CLI_OPTION_HIDE, WT_OPTION_HIDE},       {CLI_OPTION_ONLY, WT_OPTION_ONLY},
    {CLI_OPTION_DURING, WT_OPTION_ONLY},     {CLI_OPTION_MIN_SIZE, WT_OPTION_MIN_SIZE},
    {CLI_OPTION_LINK, WT_OPTION_LINK},       {CLI_OPTION_BUFFER, WT_OPTION_BUFFER},
    {CLI_OPTION_STACK, WT_OPTION_STACK},     {CLI_OPTION_CLOCK, WT_OPTION_CLOCK},
    {CLI_OPTION_FROM, WT_OPTION_FROM},       {CLI_OPTION_UNTIL, WT_OPTION_UNTIL},
    {CLI_OPTION_SKIP, WT_OPTION_SKIP},       {CLI_OPTION_MAX_EVENTS, WT_OPTION_MAX_EVENTS},
    {CLI_OPTION_ON_FULL, WT_OPTION_ON_FULL}, {CLI_OPTION_ALLOCATOR, WT_OPTION_ALLOCATOR},
    {CLI_OPTION_NODES, WT_OPTION_NODES},
};

static const struct core_option *find_core_option(cli_option option) {
  for (size_t i = 0; i < sizeof core_options / sizeof core_options[0]; i++)
    if (core_options[i].from == option)
      return &core_options[i];
  return NULL;
}

static const char *core_value(const cli_setting *setting) {
  return cli_option_rows[setting->option].kind == CLI_FLAG ? "1" : setting->value;
}

static bool set(wt_job *job, const struct core_option *option, const cli_setting *setting) {
  const char *value = core_value(setting);
  return wt_job_set(job, option->to, value, strlen(value));
}

bool cli_core_set(wt_job *job, const cli_options *options) {
  for (size_t row = 0; row < sizeof core_options / sizeof core_options[0]; row++)
    for (size_t i = 0; i < options->count; i++)
      if (options->settings[i].option == core_options[row].from && !set(job, &core_options[row], &options->settings[i]))
        return false;
  return true;
}

/* Characters, not bytes, so that the caret stands right under UTF-8. */
static size_t column_of(const char *text, size_t offset) {
  size_t column = 0;
  for (size_t i = 0; i < offset && text[i] != '\0'; i++)
    column += ((unsigned char)text[i] & 0xc0) != 0x80;
  return column;
}

static bool report(const cli_setting *setting, wt_error error) {
  if (error.offset == WT_NO_OFFSET)
    return cli_usage_error("%s", error.message);
  const char *name = cli_option_rows[setting->option].name;
  size_t column = column_of(setting->value, error.offset);
  return cli_usage_error("--%s, column %zu: %s\n  %s\n  %*s^", name, column + 1, error.message, setting->value,
                         (int)column, "");
}

/* Alone, so that the text an error speaks of is known; over an empty module, in which nothing else can be wrong. The
   probe "traps" stands in where another option is checked: it is content with any module. */
static bool check(wt_job *job, const cli_setting *setting) {
  static const uint8_t empty_module[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
  bool ok = (setting->option == CLI_OPTION_TRACE || wt_job_set(job, WT_OPTION_TRACE, "traps", 5)) &&
            set(job, find_core_option(setting->option), setting) &&
            wt_job_run(job, empty_module, sizeof empty_module, wt_guest_runtime, wt_guest_runtime_size);
  wt_error error = wt_job_error(job);
  return ok || error.status != WT_ERROR_PROBE || report(setting, error);
}

static bool check_alone(const cli_setting *setting) {
  wt_job *job = wt_job_new(NULL);
  bool ok = job == NULL ? cli_fail("out of memory") : check(job, setting);
  wt_job_free(job);
  return ok;
}

/* In the order of `checked`, as node/probes.js does it: of two errors both commands report the same. */
bool cli_core_check(const cli_options *options) {
  /* Not displays: what they need depends on the probes. */
  static const cli_option checked[] = {CLI_OPTION_TRACE, CLI_OPTION_HIDE,  CLI_OPTION_ONLY,     CLI_OPTION_DURING,
                                       CLI_OPTION_FROM,  CLI_OPTION_UNTIL, CLI_OPTION_MIN_SIZE, CLI_OPTION_BUFFER};
  for (size_t row = 0; row < sizeof checked / sizeof checked[0]; row++)
    for (size_t i = 0; i < options->count; i++)
      if (options->settings[i].option == checked[row] && !check_alone(&options->settings[i]))
        return false;
  return true;
}
