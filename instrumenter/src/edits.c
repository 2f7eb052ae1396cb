/* Makes the instrumented module: ranges of the input and inserts, by turns. */
#include "base.h"
#include "wasm_trace.h"

#include <string.h>

/* Even pieces are ranges of the input, odd ones inserts; the last piece is the rest of the input. */
static bool next_piece(const wt_edits *edits, const uint8_t *input, size_t input_size, wt_edits_cursor *cursor) {
  size_t index = cursor->piece / 2;
  if (cursor->piece > 2 * edits->count)
    return false;
  bool is_last = index == edits->count;
  if (cursor->piece++ % 2) {
    cursor->next = edits->inserts + cursor->inserts_read;
    cursor->left = edits->edits[index].insert_size;
    cursor->inserts_read += cursor->left;
  } else {
    cursor->next = input + cursor->input_read;
    cursor->left = (is_last ? input_size : edits->edits[index].copy_end) - cursor->input_read;
    cursor->input_read = is_last ? input_size : edits->edits[index].resume;
  }
  return true;
}

static WT_NOINLINE size_t copy_piece(wt_edits_cursor *cursor, uint8_t *output, size_t room) {
  size_t size = cursor->left < room ? cursor->left : room;
  memcpy(output, cursor->next, size);
  cursor->next += size;
  cursor->left -= size;
  return size;
}

size_t wt_edits_read(wt_edits edits, const uint8_t *input, size_t input_size, wt_edits_cursor *cursor, uint8_t *output,
                     size_t capacity) {
  size_t size = 0;
  while (size < capacity) {
    if (cursor->left)
      size += copy_piece(cursor, output + size, capacity - size);
    else if (!next_piece(&edits, input, input_size, cursor))
      break;
  }
  return size;
}

void wt_edits_apply(wt_edits edits, const uint8_t *input, size_t input_size, uint8_t *output) {
  wt_edits_cursor cursor = {0};
  wt_edits_read(edits, input, input_size, &cursor, output, edits.output_size);
}
