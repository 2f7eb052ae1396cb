/* The probe language and the options: what parses to what, and which column an error names. */
#include "check.h"
#include "pattern.h"
#include "probe.h"

#include <stdio.h>
#include <string.h>

#define NO_PATTERN NULL

static const struct {
  const char *text;
  wt_probe_kind kind;
  uint32_t number;
  const char *pattern; /* as written */
} good[] = {
    {"calls", WT_PROBE_CALLS, 0, NO_PATTERN},
    {"  calls  ", WT_PROBE_CALLS, 0, NO_PATTERN},
    {"calls(malloc)", WT_PROBE_CALLS, 0, "malloc"},
    {"calls:malloc", WT_PROBE_CALLS, 0, "malloc"},
    {"calls : env.*", WT_PROBE_CALLS, 0, "env.*"},
    {"calls( \"f(int, char)\" )", WT_PROBE_CALLS, 0, "\"f(int, char)\" "},
    {"calls(f(int))", WT_PROBE_CALLS, 0, "f(int)"},
    {"args(/^_Z.*/)", WT_PROBE_ARGS, 0, "/^_Z.*/"},
    {"arg(0, malloc)", WT_PROBE_ARG, 0, "malloc"},
    {"arg(17,#3)", WT_PROBE_ARG, 17, "#3"},
    {"arg0:malloc", WT_PROBE_ARG, 0, "malloc"},
    {"arg12:a:b", WT_PROBE_ARG, 12, "a:b"},
    {"ret(x)", WT_PROBE_RET, 0, "x"},
    {"imports", WT_PROBE_IMPORTS, 0, NO_PATTERN},
    {"imports:env.*", WT_PROBE_IMPORTS, 0, "env.*"},
    {"memory.grow", WT_PROBE_MEMORY_GROW, 0, NO_PATTERN},
    {"stack(f)", WT_PROBE_STACK, 0, "f"},
    {"traps", WT_PROBE_TRAPS, 0, NO_PATTERN},
};

static const struct {
  const char *text;
  size_t column;
  const char *message; /* how it begins */
} bad[] = {
    {"", 0, "unknown probe; the probes are calls, args, arg, ret, imports, memory.grow, stack, traps"},
    {"call", 0, "unknown probe"},
    {"  Calls", 2, "unknown probe"},
    {"callsmalloc", 0, "unknown probe"},
    {"calls(malloc", 12, "missing ) at the end of the probe"},
    {"calls(", 6, "missing )"},
    {"calls()", 6, "a pattern is missing"},
    {"calls:", 6, "a pattern is missing"},
    {"calls malloc", 6, "unexpected text behind the probe"},
    {"calls(malloc) x", 15, "missing )"},
    {"calls(\"f)", 8, "a quote is missing at the end"},
    {"calls(\"\")", 8, "the quotes are empty"},
    {"calls(/x)", 8, "a \"/\" is missing at the end"},
    {"calls(//)", 8, "the regular expression is empty"},
    {"calls(/(/)", 7, "the regular expression is not valid"},
    {"calls(#)", 7, "\"#\" is followed by a function index"},
    {"calls(#12x)", 9, "\"#\" is followed by a function index"},
    {"calls(#99999999999)", 17, "\"#\" is followed by a function index"},
    {"arg(malloc)", 4, "arg needs the number of an argument first"},
    {"arg(0 malloc)", 6, "missing , between the number and the pattern"},
    {"arg(0,)", 6, "a pattern is missing"},
    {"arg:malloc", 3, "arg needs the number of an argument"},
    {"arg0(malloc)", 4, "write arg(0, malloc) or arg0:malloc"},
    {"arg", 3, "arg needs a pattern, as in arg(0, malloc)"},
    {"args", 4, "args needs a pattern"},
    {"ret", 3, "ret needs a pattern"},
    {"stack", 5, "stack needs a pattern"},
    {"traps(f)", 5, "traps takes no pattern"},
    {"memory.grow:f", 11, "memory.grow takes no pattern"},
};

static wt_slice slice_of(const char *text) { return (wt_slice){(const uint8_t *)text, strlen(text)}; }

static bool same(wt_slice slice, const char *text) {
  return slice.size == strlen(text) && memcmp(slice.data, text, slice.size) == 0;
}

static void check_good(void) {
  for (size_t i = 0; i < WT_COUNT_OF(good); i++) {
    wt_job *job = wt_job_new(NULL);
    wt_probe probe;
    check(wt_probe_parse(job, slice_of(good[i].text), &probe), good[i].text, wt_job_error(job).message);
    check(probe.kind == good[i].kind && probe.number == good[i].number, good[i].text, "kind or number");
    check(!probe.pattern == !good[i].pattern, good[i].text, "a pattern or none");
    check(!good[i].pattern || same(probe.pattern_text, good[i].pattern), good[i].text, "the pattern");
    if (probe.pattern)
      wt_pattern_free(probe.pattern);
    wt_job_free(job);
  }
}

static void check_bad(void) {
  for (size_t i = 0; i < WT_COUNT_OF(bad); i++) {
    wt_job *job = wt_job_new(NULL);
    wt_probe probe;
    check(!wt_probe_parse(job, slice_of(bad[i].text), &probe), bad[i].text, "accepted");
    wt_error error = wt_job_error(job);
    char what[200];
    snprintf(what, sizeof what, "column %zu: %s", error.offset, error.message);
    check(error.status == WT_ERROR_PROBE && error.offset == bad[i].column, bad[i].text, what);
    check(strncmp(error.message, bad[i].message, strlen(bad[i].message)) == 0, bad[i].text, what);
    if (probe.pattern)
      wt_pattern_free(probe.pattern);
    wt_job_free(job);
  }
}

static const struct {
  wt_option option;
  const char *text;
  bool accepted;
} options[] = {
    {WT_OPTION_DISPLAY, "tree", true},
    {WT_OPTION_DISPLAY, "trees", false},
    {WT_OPTION_DISPLAY, "", false},
    {WT_OPTION_LINK, "split", true},
    {WT_OPTION_LINK, "merged", true},
    {WT_OPTION_LINK, "auto", true},
    {WT_OPTION_LINK, "both", false},
    {WT_OPTION_MIN_SIZE, "0", true},
    {WT_OPTION_MIN_SIZE, "4294967295", true},
    {WT_OPTION_MIN_SIZE, "4294967296", false},
    {WT_OPTION_MIN_SIZE, "", false},
    {WT_OPTION_MIN_SIZE, "-1", false},
    {WT_OPTION_MIN_SIZE, "1k", false},
    {WT_OPTION_BUFFER, "4096", true},
    {WT_OPTION_BUFFER, "4K", true},
    {WT_OPTION_BUFFER, "1g", true},
    {WT_OPTION_BUFFER, "4095", false},
    {WT_OPTION_BUFFER, "2G", false},
    {WT_OPTION_BUFFER, "K", false},
    {WT_OPTION_BUFFER, "99999999999999999999", false},
    {(wt_option)99, "1", false},
};

static void check_options(void) {
  for (size_t i = 0; i < WT_COUNT_OF(options); i++) {
    wt_job *job = wt_job_new(NULL);
    bool accepted = wt_job_set(job, options[i].option, options[i].text, strlen(options[i].text));
    check(accepted == options[i].accepted, options[i].text, accepted ? "accepted" : wt_job_error(job).message);
    check(accepted == (wt_job_error(job).status == WT_OK), options[i].text, "status");
    wt_job_free(job);
  }
}

int main(void) {
  check_good();
  check_bad();
  check_options();
  return failures ? 1 : 0;
}
