#include "section.h"

#include <string.h>

enum {
  HEADER_SIZE = 8,
  CUSTOM_SECTION = 0,
  FUNCTION_NAMES = 1,   /* subsection of "name" */
  FORMAT_VERSION = 1,   /* of "wasm-trace" */
  MODULE_FACTS = 0,     /* subsection of "wasm-trace" */
  FACTS_BEFORE_SIZE = 3 /* flags, imported functions, functions */
};

static bool take_u8(cli_buffer *from, uint8_t *value) {
  if (from->size == 0)
    return false;
  *value = *from->data++;
  from->size--;
  return true;
}

/* LEB128. */
static bool take_u32(cli_buffer *from, uint32_t *value) {
  uint64_t sum = 0;
  uint8_t byte = 0x80;
  for (unsigned shift = 0; byte & 0x80; shift += 7) {
    if (shift > 28 || !take_u8(from, &byte))
      return false;
    sum |= (uint64_t)(byte & 0x7f) << shift;
  }
  *value = (uint32_t)sum;
  return sum <= UINT32_MAX;
}

/* A size and as many bytes. */
static bool take_sized(cli_buffer *from, cli_buffer *part) {
  uint32_t size;
  if (!take_u32(from, &size) || size > from->size)
    return false;
  *part = (cli_buffer){from->data, size};
  from->data += size;
  from->size -= size;
  return true;
}

static bool take_section(cli_buffer *from, uint8_t *id, cli_buffer *content) {
  return take_u8(from, id) && take_sized(from, content);
}

static bool find_subsection(cli_buffer sections, uint8_t wanted, cli_buffer *content) {
  uint8_t id;
  while (take_section(&sections, &id, content))
    if (id == wanted)
      return true;
  return false;
}

bool cli_find_custom(cli_buffer module, const char *name, cli_buffer *payload) {
  if (module.size < HEADER_SIZE || memcmp(module.data, "\0asm\1\0\0", HEADER_SIZE) != 0)
    return false;
  cli_buffer rest = {module.data + HEADER_SIZE, module.size - HEADER_SIZE};
  cli_buffer found;
  uint8_t id;
  while (take_section(&rest, &id, payload))
    if (id == CUSTOM_SECTION && take_sized(payload, &found) && found.size == strlen(name) &&
        memcmp(found.data, name, found.size) == 0)
      return true;
  return false;
}

bool cli_has_function_names(cli_buffer module) {
  cli_buffer names, functions;
  uint32_t count;
  return cli_find_custom(module, "name", &names) && find_subsection(names, FUNCTION_NAMES, &functions) &&
         take_u32(&functions, &count) && count > 0;
}

bool cli_original_size(cli_buffer module, uint32_t *size) {
  cli_buffer section, facts;
  uint8_t version;
  if (!cli_find_custom(module, "wasm-trace", &section) || !take_u8(&section, &version) || version != FORMAT_VERSION ||
      !find_subsection(section, MODULE_FACTS, &facts))
    return false;
  for (int i = 0; i < FACTS_BEFORE_SIZE; i++)
    if (!take_u32(&facts, size))
      return false;
  return take_u32(&facts, size);
}
