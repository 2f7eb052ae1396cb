#include "probe.h"

#include <string.h>

typedef enum pattern_need { NONE, OPTIONAL, REQUIRED } pattern_need;

static const struct probe_row {
  const char *text;
  pattern_need pattern;
  bool number;
} rows[WT_PROBE_KINDS] = {
#define WT_PROBE(name, text, pattern, number) [WT_PROBE_##name] = {text, pattern, number},
#include "probes.def"
#undef WT_PROBE
};

typedef struct parser {
  wt_job *job;
  wt_slice text;
  size_t at;
} parser;

static bool fail(parser *p, size_t column, const char *message) {
  return wt_fail(p->job, WT_ERROR_PROBE, column, "%s", message);
}

static char peek(const parser *p) { return p->at < p->text.size ? (char)p->text.data[p->at] : '\0'; }

static void skip_spaces(parser *p) {
  while (peek(p) == ' ' || peek(p) == '\t')
    p->at++;
}

static bool take(parser *p, char wanted) {
  skip_spaces(p);
  if (peek(p) != wanted)
    return false;
  p->at++;
  skip_spaces(p);
  return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A function has at most 1000 parameters in any engine, so four digits are plenty. */
#define MOST_DIGITS 4

static bool parse_number(parser *p, uint32_t *number) {
  size_t start = p->at;
  uint32_t value = 0;
  for (; is_digit(peek(p)) && p->at - start < MOST_DIGITS; p->at++)
    value = value * 10 + (uint32_t)(peek(p) - '0');
  *number = value;
  if (is_digit(peek(p)))
    return fail(p, start, "no function has that many arguments");
  return p->at > start;
}

/* The longest word of letters and dots that is a kind. */
static bool parse_kind(parser *p, wt_probe *probe) {
  size_t start = p->at;
  while ((peek(p) >= 'a' && peek(p) <= 'z') || peek(p) == '.')
    p->at++;
  for (int kind = 0; kind < WT_PROBE_KINDS; kind++) {
    size_t size = strlen(rows[kind].text);
    if (size == p->at - start && memcmp(p->text.data + start, rows[kind].text, size) == 0) {
      probe->kind = (wt_probe_kind)kind;
      return true;
    }
  }
  return fail(p, start,
              "unknown probe; the probes are calls, args, arg, ret, imports, memory.grow, stack, traps, duration");
}

static bool parse_pattern(parser *p, size_t end, wt_probe *probe) {
  wt_slice text = {p->text.data + p->at, end - p->at};
  const char *message = NULL;
  size_t column = 0;
  probe->pattern_text = text;
  probe->pattern = wt_pattern_new(&p->job->arena, text, &message, &column);
  if (probe->pattern)
    return true;
  return message ? wt_fail(p->job, WT_ERROR_PROBE, p->at + column, "%s", message) : wt_fail_memory(p->job);
}

/* kind ( [number ,] pattern ): the closing parenthesis is the last one, since a pattern may hold parentheses. */
static bool parse_parentheses(parser *p, wt_probe *probe) {
  size_t end = p->text.size;
  while (end > p->at && p->text.data[end - 1] == ' ')
    end--;
  if (end == p->at || p->text.data[end - 1] != ')')
    return fail(p, end, "missing ) at the end of the probe");
  end--;
  skip_spaces(p);
  if (rows[probe->kind].number) {
    if (!parse_number(p, &probe->number))
      return fail(p, p->at, "arg needs the number of an argument first, as in arg(0, malloc)");
    if (!take(p, ','))
      return fail(p, p->at, "missing , between the number and the pattern, as in arg(0, malloc)");
  }
  return parse_pattern(p, end, probe);
}

/* kind [number] : pattern */
static bool parse_colon(parser *p, wt_probe *probe, bool numbered) {
  if (rows[probe->kind].number && !numbered)
    return fail(p, p->at - 1, "arg needs the number of an argument, as in arg0:malloc");
  return parse_pattern(p, p->text.size, probe);
}

static bool check_form(parser *p, const wt_probe *probe, size_t column) {
  const struct probe_row *row = &rows[probe->kind];
  if (row->pattern == NONE && probe->pattern)
    return wt_fail(p->job, WT_ERROR_PROBE, column, "%s takes no pattern", row->text);
  if (row->pattern == REQUIRED && !probe->pattern)
    return wt_fail(p->job, WT_ERROR_PROBE, column, "%s needs a pattern, as in %s(%smalloc) or %s%s:malloc", row->text,
                   row->text, row->number ? "0, " : "", row->text, row->number ? "0" : "");
  return true;
}

bool wt_probe_parse(wt_job *job, wt_slice text, wt_probe *probe) {
  parser p = {.job = job, .text = text};
  *probe = (wt_probe){.text = text};
  skip_spaces(&p);
  if (!parse_kind(&p, probe))
    return false;
  bool numbered = rows[probe->kind].number && parse_number(&p, &probe->number);
  size_t column = p.at;
  bool parsed = true;
  if (take(&p, '('))
    parsed = numbered ? fail(&p, column, "write arg(0, malloc) or arg0:malloc") : parse_parentheses(&p, probe);
  else if (take(&p, ':'))
    parsed = parse_colon(&p, probe, numbered);
  else if (p.at < text.size)
    parsed = fail(&p, p.at, "unexpected text behind the probe");
  return parsed && check_form(&p, probe, column);
}
