/* Reading the output of an edit list in parts of any size gives what applying it at once gives. */
#include "wasm_trace.h"

#include <stdio.h>
#include <string.h>

typedef struct edits_row {
  const char *input;
  wt_edit edits[3];
  size_t count;
  const char *inserts;
  const char *output;
} edits_row;

static const edits_row rows[] = {
    {"abcdef", {{0}}, 0, "", "abcdef"},
    {"", {{0, 0, 2}}, 1, "xy", "xy"},
    {"abcdef", {{0, 0, 1}, {6, 6, 1}}, 2, "xy", "xabcdefy"},
    {"abcdef", {{2, 4, 0}}, 1, "", "abef"},
    {"abcdef", {{1, 2, 3}, {2, 2, 1}, {4, 6, 2}}, 3, "123456", "a1234cd56"},
    {"abcdef", {{0, 6, 0}}, 1, "", ""},
};

static wt_edits edits_of(const edits_row *row) {
  return (wt_edits){row->edits, row->count, (const uint8_t *)row->inserts, strlen(row->inserts), strlen(row->output)};
}

static size_t read_in_parts(const edits_row *row, size_t capacity, uint8_t *output) {
  wt_edits_cursor cursor = {0};
  size_t size = 0, part;
  while ((part = wt_edits_read(edits_of(row), (const uint8_t *)row->input, strlen(row->input), &cursor, output + size,
                               capacity)) > 0)
    size += part;
  return size;
}

static int test_row(const edits_row *row) {
  int failures = 0;
  size_t expected = strlen(row->output);
  for (size_t capacity = 1; capacity <= expected + 1; capacity++) {
    uint8_t output[32] = {0};
    size_t size = read_in_parts(row, capacity, output);
    if (size != expected || memcmp(output, row->output, size) != 0) {
      fprintf(stderr, "\"%s\" in parts of %zu: got \"%.*s\", expected \"%s\"\n", row->input, capacity, (int)size,
              (const char *)output, row->output);
      failures++;
    }
  }
  return failures;
}

int main(void) {
  int failures = 0;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    failures += test_row(&rows[i]);
  return failures ? 1 : 0;
}
