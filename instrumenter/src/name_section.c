/* The reader of modules proper reports malformed bytes; names must never fail a job, so this cursor just stops. */
#include "name_section.h"

#include <string.h>

enum { SUBSECTION_FUNCTIONS = 1, SECTION_CUSTOM = 0, SECTION_FUNCTION = 3 };

typedef struct cursor {
  const uint8_t *at;
  const uint8_t *end;
} cursor;

static cursor cursor_of(wt_slice slice) {
  return (cursor){slice.data, slice.size ? slice.data + slice.size : slice.data};
}

static bool take_u32(cursor *c, uint32_t *value) {
  uint32_t result = 0;
  for (unsigned shift = 0; shift < 35 && c->at < c->end; shift += 7) {
    uint8_t byte = *c->at++;
    result |= (uint32_t)(byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      return true;
    }
  }
  return false;
}

/* A length and its bytes; a length past the end takes what is there. */
static bool take_block(cursor *c, wt_slice *block, bool *whole) {
  uint32_t size;
  if (!take_u32(c, &size))
    return false;
  size_t left = (size_t)(c->end - c->at);
  *whole = size <= left;
  *block = (wt_slice){c->at, *whole ? size : left};
  c->at += block->size;
  return true;
}

static void read_functions(wt_slice content, wt_name_sink sink, void *user) {
  cursor c = cursor_of(content);
  uint32_t count, func;
  wt_slice name;
  bool whole;
  if (!take_u32(&c, &count))
    return;
  while (count-- && take_u32(&c, &func) && take_block(&c, &name, &whole) && whole)
    sink(user, func, name);
}

void wt_name_section_read(wt_slice content, wt_name_sink sink, void *user) {
  cursor c = cursor_of(content);
  wt_slice block;
  bool whole;
  while (c.at < c.end) {
    uint8_t id = *c.at++;
    if (!take_block(&c, &block, &whole))
      return;
    if (id == SUBSECTION_FUNCTIONS)
      read_functions(block, sink, user);
  }
}

static void read_custom(wt_slice section, wt_name_twin *twin) {
  cursor c = cursor_of(section);
  wt_slice name;
  bool whole;
  if (take_block(&c, &name, &whole) && name.size == 4 && memcmp(name.data, "name", 4) == 0)
    twin->name_section = (wt_slice){c.at, (size_t)(c.end - c.at)};
}

bool wt_name_twin_read(wt_slice module, wt_name_twin *twin) {
  static const uint8_t magic[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
  *twin = (wt_name_twin){0};
  if (module.size < sizeof magic || memcmp(module.data, magic, sizeof magic) != 0)
    return false;
  cursor c = {module.data + sizeof magic, module.data + module.size};
  wt_slice section;
  bool whole;
  while (c.at < c.end) {
    uint8_t id = *c.at++;
    if (!take_block(&c, &section, &whole))
      break;
    cursor inner = cursor_of(section);
    if (id == SECTION_CUSTOM)
      read_custom(section, twin);
    else if (id == SECTION_FUNCTION)
      (void)take_u32(&inner, &twin->defined_count);
  }
  return true;
}
