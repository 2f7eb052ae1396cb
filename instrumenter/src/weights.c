#include "weights.h"

#include <string.h>

/* Of a word that a message repeats. */
#define MOST_SHOWN 60

typedef struct table {
  wt_job *job;
  wt_weights *weights;
  uint32_t line;
} table;

/* ---- instructions ---- */

#define WT_OPCODE(prefix, code, name, text, immediate, feature) \
  _Static_assert((prefix) ? (code) < WT_PREFIXED_CODES : (code) < 256, text);
#include "opcodes.def"
#undef WT_OPCODE

static bool is_instruction(size_t place) {
  if (place < 256)
    return wt_opcode_find(WT_PREFIX_NONE, (uint32_t)place);
  size_t behind = place - 256;
  return wt_opcode_find((uint8_t)(WT_PREFIX_GC + behind / WT_PREFIXED_CODES), (uint32_t)(behind % WT_PREFIXED_CODES));
}

static bool only_delimits(size_t place) {
  return place == WT_OP_ELSE || place == WT_OP_END || place == WT_OP_CATCH || place == WT_OP_CATCH_ALL ||
         place == WT_OP_DELEGATE;
}

static void set_all(wt_weights *weights, uint32_t weight) {
  for (size_t place = 0; place < WT_WEIGHTS; place++)
    weights->of[place] = only_delimits(place) ? 0 : weight;
}

wt_weights *wt_weights_new(wt_job *job) {
  wt_weights *weights = wt_arena_alloc(&job->arena, sizeof(wt_weights));
  if (!weights) {
    wt_fail_memory(job);
    return NULL;
  }
  weights->name = "";
  set_all(weights, 1);
  return weights;
}

/* ---- lines ---- */

/* The next line without its comment; `text` goes on behind it. */
static wt_slice take_line(wt_slice *text) {
  const uint8_t *end = memchr(text->data, '\n', text->size);
  size_t size = end ? (size_t)(end - text->data) : text->size;
  wt_slice line = {text->data, size};
  size_t used = end ? size + 1 : size;
  *text = (wt_slice){text->data + used, text->size - used};
  const uint8_t *comment = line.size ? memchr(line.data, '#', line.size) : NULL;
  if (comment)
    line.size = (size_t)(comment - line.data);
  return wt_slice_trim(line);
}

/* Cuts off the last word; some names have a space in them. */
static wt_slice take_last_word(wt_slice *line) {
  size_t at = line->size;
  while (at && !wt_is_space(line->data[at - 1]))
    at--;
  wt_slice word = {line->data + at, line->size - at};
  *line = wt_slice_trim((wt_slice){line->data, at});
  return word;
}

static wt_slice first_word(wt_slice line) {
  size_t size = 0;
  while (size < line.size && !wt_is_space(line.data[size]))
    size++;
  return (wt_slice){line.data, size};
}

static bool fail(const table *t, const char *what, wt_slice word) {
  int size = word.size < MOST_SHOWN ? (int)word.size : MOST_SHOWN;
  return wt_fail(t->job, WT_ERROR_PROBE, WT_NO_OFFSET, "weights, line %u: %s: \"%.*s\"", t->line, what, size,
                 (const char *)word.data);
}

static bool parse_weight(const table *t, wt_slice word, uint32_t *weight) {
  uint64_t value = 0;
  for (size_t i = 0; i < word.size; i++) {
    if (word.data[i] < '0' || word.data[i] > '9')
      return fail(t, "a weight is a number", word);
    value = value * 10 + (uint64_t)(word.data[i] - '0');
    if (value > UINT32_MAX)
      return fail(t, "a weight is at most 4294967295", word);
  }
  *weight = (uint32_t)value;
  return word.size > 0 || fail(t, "a weight is missing", word);
}

/* One name may stand for several instructions, as `select` does. */
static bool set_named(const table *t, wt_slice name, uint32_t weight) {
  bool found = false;
  const char *known = wt_opcode_names;
  for (size_t place = 0; *known; place++) {
    if (!is_instruction(place))
      continue;
    bool same = wt_slice_is(name, known);
    known += strlen(known) + 1;
    if (!same)
      continue;
    if (weight && only_delimits(place))
      return fail(t, "this only delimits and has no weight", name);
    t->weights->of[place] = weight;
    found = true;
  }
  return found || fail(t, "no instruction has this name", name);
}

static bool read_name(const table *t, wt_slice line) {
  wt_slice name = wt_slice_trim((wt_slice){line.data + strlen("name"), line.size - strlen("name")});
  t->weights->name = wt_arena_copy(&t->job->arena, name.data, name.size);
  return t->weights->name || wt_fail_memory(t->job);
}

static bool read_line(const table *t, wt_slice line) {
  if (!line.size)
    return true;
  if (wt_slice_is(first_word(line), "name"))
    return read_name(t, line);
  wt_slice name = line;
  wt_slice word = take_last_word(&name);
  if (!name.size)
    return fail(t, "a line is the name of an instruction and its weight", line);
  uint32_t weight;
  if (!parse_weight(t, word, &weight))
    return false;
  if (!wt_slice_is(name, "default"))
    return set_named(t, name, weight);
  set_all(t->weights, weight);
  return true;
}

wt_weights *wt_weights_read(wt_job *job, wt_slice text) {
  table t = {job, wt_weights_new(job), 0};
  if (t.weights)
    t.weights->name = "a table"; /* until it says another */
  while (t.weights && text.size) {
    t.line++;
    if (!read_line(&t, take_line(&text)))
      return NULL;
  }
  return t.weights;
}
