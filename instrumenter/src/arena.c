/* Blocks double up to a limit, so that a small job touches little memory. */
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK 4096u
#define LAST_BLOCK (1u << 20)
#define ALIGNMENT (sizeof(max_align_t))

struct wt_arena_block {
  wt_arena_block *next;
  size_t size; /* with this header */
  max_align_t data[];
};

static void *default_resize(void *user, void *old, size_t old_size, size_t new_size) {
  (void)user;
  (void)old_size;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return realloc(old, new_size);
}

void wt_arena_init(wt_arena *arena, const wt_allocator *allocator) {
  *arena = (wt_arena){0};
  if (allocator)
    arena->allocator = *allocator;
  else
    arena->allocator.resize = default_resize;
}

void wt_arena_free(wt_arena *arena) {
  wt_arena_block *block = arena->blocks;
  while (block) {
    wt_arena_block *next = block->next;
    arena->allocator.resize(arena->allocator.user, block, block->size, 0);
    block = next;
  }
  arena->blocks = NULL;
  arena->left = 0;
}

static bool add_block(wt_arena *arena, size_t least) {
  size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
  if (size > LAST_BLOCK)
    size = LAST_BLOCK;
  if (least > SIZE_MAX - sizeof(wt_arena_block))
    return false;
  if (size < least + sizeof(wt_arena_block))
    size = least + sizeof(wt_arena_block);
  wt_arena_block *block = arena->allocator.resize(arena->allocator.user, NULL, 0, size);
  if (!block)
    return false;
  block->next = arena->blocks;
  block->size = size;
  arena->blocks = block;
  arena->next = (uint8_t *)block->data;
  arena->left = size - sizeof(wt_arena_block);
  return true;
}

void *wt_arena_alloc(wt_arena *arena, size_t size) {
  if (size > SIZE_MAX - ALIGNMENT) {
    arena->failed = true;
    return NULL;
  }
  size_t rounded = (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT; /* at least one unit: never NULL for nothing */
  if (rounded > arena->left && !add_block(arena, rounded)) {
    arena->failed = true;
    return NULL;
  }
  void *result = arena->next;
  arena->next += rounded;
  arena->left -= rounded;
  return memset(result, 0, size);
}

void *wt_arena_array(wt_arena *arena, size_t count, size_t item_size) {
  if (item_size && count > SIZE_MAX / item_size) {
    arena->failed = true;
    return NULL;
  }
  return wt_arena_alloc(arena, count * item_size);
}

char *wt_arena_copy(wt_arena *arena, const void *data, size_t size) {
  if (size == SIZE_MAX) {
    arena->failed = true;
    return NULL;
  }
  char *copy = wt_arena_alloc(arena, size + 1);
  if (copy && size)
    memcpy(copy, data, size);
  return copy;
}

char *wt_arena_format(wt_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (size < 0)
    return NULL;
  char *text = wt_arena_alloc(arena, (size_t)size + 1);
  if (text) {
    va_start(arguments, format);
    vsnprintf(text, (size_t)size + 1, format, arguments);
    va_end(arguments);
  }
  return text;
}
