/* The symbol map and the module with names; the JS glue has a file of its own. A file of another build would give wrong
   names in silence, so each kind is checked against the module first. */
#include "symbols.h"

#include "name_section.h"

#include <string.h>

static bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

/* "12:name" at the start of a line. */
static bool take_index(wt_slice line, uint32_t *index, wt_slice *name) {
  uint64_t value = 0;
  size_t at = 0;
  for (; at < line.size && is_digit(line.data[at]) && value <= UINT32_MAX; at++)
    value = value * 10 + (uint64_t)(line.data[at] - '0');
  if (at == 0 || at == line.size || line.data[at] != ':' || value > UINT32_MAX)
    return false;
  *index = (uint32_t)value;
  *name = (wt_slice){line.data + at + 1, line.size - at - 1};
  return true;
}

static wt_slice take_line(wt_slice *text) {
  const uint8_t *end = memchr(text->data, '\n', text->size);
  size_t size = end ? (size_t)(end - text->data) : text->size;
  size_t used = end ? size + 1 : size;
  wt_slice line = {text->data, size && text->data[size - 1] == '\r' ? size - 1 : size};
  *text = (wt_slice){text->data + used, text->size - used};
  return line;
}

static int hex_digit(uint8_t c) {
  if (is_digit(c))
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Emscripten writes what is no identifier character as a backslash and two hex digits. */
static wt_slice unescape(wt_arena *arena, wt_slice name) {
  if (name.size == 0 || !memchr(name.data, '\\', name.size))
    return name;
  uint8_t *out = wt_arena_alloc(arena, name.size);
  size_t size = 0;
  for (size_t at = 0; out && at < name.size; size++) {
    bool room = name.data[at] == '\\' && name.size - at > 2;
    int high = room ? hex_digit(name.data[at + 1]) : -1, low = room ? hex_digit(name.data[at + 2]) : -1;
    bool escaped = high >= 0 && low >= 0;
    out[size] = escaped ? (uint8_t)(high * 16 + low) : name.data[at];
    at += escaped ? 3 : 1;
  }
  return (wt_slice){out, out ? size : 0};
}

static bool fits_map(const wt_symbols *symbols, wt_slice text) {
  uint32_t index;
  wt_slice name;
  while (text.size)
    if (take_index(take_line(&text), &index, &name) && index >= symbols->input->function_count)
      return false;
  return true;
}

static const char *read_map(const wt_symbols *symbols, wt_slice text) {
  uint32_t index;
  wt_slice name;
  if (!fits_map(symbols, text))
    return "the symbol map belongs to another build: it names functions that this module does not have";
  while (text.size)
    if (take_index(take_line(&text), &index, &name))
      symbols->name(symbols->user, index, unescape(symbols->arena, name));
  return NULL;
}

static const char *read_twin(const wt_symbols *symbols, const wt_name_twin *twin) {
  if (twin->name_section.size == 0)
    return "the symbol file is a module without a name section";
  if (twin->defined_count != symbols->input->function_count - symbols->input->import_count)
    return "the symbol file is a module with another number of functions";
  wt_name_section_read(twin->name_section, symbols->name, symbols->user);
  return NULL;
}

static bool looks_like_map(wt_slice text) {
  uint32_t index;
  wt_slice name;
  return text.size && take_index(take_line(&text), &index, &name);
}

const char *wt_symbols_read(const wt_symbols *symbols, wt_slice file) {
  wt_name_twin twin;
  if (wt_name_twin_read(file, &twin))
    return read_twin(symbols, &twin);
  if (looks_like_map(file))
    return read_map(symbols, file);
  return wt_symbols_read_glue(symbols, file) ? NULL
                                             : "the symbol file names no function of this module; it is no symbol map, "
                                               "module or JS glue that belongs to it";
}
