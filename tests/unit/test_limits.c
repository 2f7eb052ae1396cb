/* The limits whose modules are too large for an engine in a test: the size of a module, and element segments. */
#include "check.h"
#include "guest_runtime.h"
#include "wasm_trace.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)
#define MOST_ELEMENTS 10000000u
#define ROOM 10000u /* more than is added to a module of one function */

/* One function of two bytes. */
static const uint8_t head[] = {0, 'a', 's', 'm', 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0};
static const uint8_t code[] = {10, 4, 1, 2, 0, 0x0b};

static void write_padded(uint8_t *at, size_t value) {
  for (int i = 0; i < 5; i++, value >>= 7)
    at[i] = (uint8_t)(value & 0x7f) | (i < 4 ? 0x80 : 0);
}

/* With a custom section that fills `size` bytes; fresh pages, which cost nothing until they are touched. */
static uint8_t *module_of_size(size_t size) {
  uint8_t *module = calloc(size, 1);
  if (!module)
    return NULL;
  memcpy(module, head, sizeof head);
  memcpy(module + sizeof head, code, sizeof code);
  uint8_t *custom = module + sizeof head + sizeof code; /* id 0, size, an empty name, zeros */
  write_padded(custom + 1, size - sizeof head - sizeof code - 6);
  return module;
}

/* With passive element segments of no items. */
static uint8_t *module_of_elements(uint32_t count, size_t *size) {
  size_t content = 5 + (size_t)count * 3;
  *size = sizeof head + 6 + content + sizeof code;
  uint8_t *module = calloc(*size, 1);
  if (!module)
    return NULL;
  uint8_t *section = module + sizeof head;
  memcpy(module, head, sizeof head);
  section[0] = 9;
  write_padded(section + 1, content);
  write_padded(section + 6, count);
  for (uint32_t i = 0; i < count; i++)
    section[11 + 3 * i] = 1;
  memcpy(section + 6 + content, code, sizeof code);
  return module;
}

static void check_module(const uint8_t *module, size_t size, const char *link, const char *message) {
  wt_job *job = wt_job_new(NULL);
  bool done = module && wt_job_set(job, WT_OPTION_TRACE, "calls(*)", 8) &&
              wt_job_set(job, WT_OPTION_LINK, link, strlen(link)) &&
              wt_job_run(job, module, size, wt_guest_runtime, wt_guest_runtime_size);
  wt_error error = wt_job_error(job);
  bool right = message ? !done && error.status == WT_ERROR_LIMIT && strstr(error.message, message) : done;
  check(right, message ? message : "instrumented", error.message);
  wt_job_free(job);
}

static void check_size(size_t size, const char *message) {
  uint8_t *module = module_of_size(size);
  check_module(module, size, "merged", message);
  check_module(module, size, "split", message);
  free(module);
}

static void check_elements(uint32_t count, const char *link, const char *message) {
  size_t size;
  uint8_t *module = module_of_elements(count, &size);
  check_module(module, size, link, message);
  free(module);
}

int main(void) {
  check_size(MOST_BYTES - ROOM, NULL);
  check_size(MOST_BYTES, "bytes, and engines take at most 1073741824");
  check_elements(MOST_ELEMENTS - 1, "split", NULL);
  check_elements(MOST_ELEMENTS, "split", "10000001 element segments, and engines take at most 10000000");
  check_elements(MOST_ELEMENTS, "merged", NULL);
  return failures ? 1 : 0;
}
