/* What the native test programs share: modules on stdin, results on stdout, options as arguments.

     PROGRAM OPTION VALUE ...       as in wt_option, by the names below; twin: the module itself is its file of symbols

   A module is its size (u32, little-endian) and its bytes. A result is a status (u32, wt_status), a size and bytes. */
#ifndef WT_TEST_FRAMES_H
#define WT_TEST_FRAMES_H

#include "guest_runtime.h"
#include "wasm_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_module {
  const uint8_t *bytes;
  size_t size;
} test_module;

static _Noreturn void die(const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(2);
}

static bool set_option(wt_job *job, const test_module *module, const char *name, const char *value) {
  static const struct {
    const char *name;
    wt_option option;
  } options[] = {{"trace", WT_OPTION_TRACE},
                 {"display", WT_OPTION_DISPLAY},
                 {"link", WT_OPTION_LINK},
                 {"stack", WT_OPTION_STACK},
                 {"deferStart", WT_OPTION_DEFER_START},
                 {"only", WT_OPTION_ONLY},
                 {"hide", WT_OPTION_HIDE},
                 {"minSize", WT_OPTION_MIN_SIZE},
                 {"buffer", WT_OPTION_BUFFER},
                 {"symbols", WT_OPTION_SYMBOLS},
                 {"guessedSymbols", WT_OPTION_GUESSED_SYMBOLS},
                 {"someMatch", WT_OPTION_SOME_MATCH},
                 {"clock", WT_OPTION_CLOCK},
                 {"weights", WT_OPTION_WEIGHTS},
                 {"allocator", WT_OPTION_ALLOCATOR},
                 {"nodes", WT_OPTION_NODES},
                 {"wall", WT_OPTION_WALL},
                 {"from", WT_OPTION_FROM},
                 {"until", WT_OPTION_UNTIL},
                 {"skip", WT_OPTION_SKIP},
                 {"maxEvents", WT_OPTION_MAX_EVENTS},
                 {"onFull", WT_OPTION_ON_FULL},
                 {"stopped", WT_OPTION_STOPPED},
                 {"legacyExceptions", WT_OPTION_LEGACY_EXCEPTIONS}};
  if (strcmp(name, "twin") == 0)
    return wt_job_set(job, WT_OPTION_SYMBOLS, (const char *)module->bytes, module->size);
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (strcmp(options[i].name, name) == 0)
      return wt_job_set(job, options[i].option, value, strlen(value));
  die("unknown option");
}

static bool set_options(wt_job *job, const test_module *module, char *const *settings) {
  for (; settings[0] && settings[1]; settings += 2)
    if (!set_option(job, module, settings[0], settings[1]))
      return false;
  return true;
}

/* With the runtime that the link mode is for. */
static inline bool run_job_on(wt_job *job, const test_module *module, char *const *settings) {
  bool heap = false;
  for (; settings[0] && settings[1]; settings += 2)
    if (strcmp(settings[0], "link") == 0)
      heap = strcmp(settings[1], "heap") == 0;
  return heap ? wt_job_run(job, module->bytes, module->size, wt_heap_runtime, wt_heap_runtime_size)
              : wt_job_run(job, module->bytes, module->size, wt_guest_runtime, wt_guest_runtime_size);
}

/* Exactly as large as it must be, so that the address sanitizer sees every read behind the end. */
static uint8_t *room(size_t size) {
  uint8_t *data = malloc(size ? size : 1);
  if (!data)
    die("out of memory");
  return data;
}

static bool read_u32(uint32_t *value) {
  uint8_t bytes[4];
  if (fread(bytes, 1, 4, stdin) != 4)
    return false;
  *value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  return true;
}

static void write_u32(uint32_t value) {
  for (int i = 0; i < 4; i++)
    putchar((int)(value >> 8 * i & 0xff));
}

static void write_result(wt_status status, const void *data, size_t size) {
  write_u32(status);
  write_u32((uint32_t)size);
  fwrite(data, 1, size, stdout);
}

typedef void test_action(const test_module *module, char *const *settings);

static void for_each_module(test_action *action, char *const *settings) {
  uint32_t size;
  while (read_u32(&size)) {
    uint8_t *bytes = room(size);
    if (fread(bytes, 1, size, stdin) != size)
      die("unexpected end");
    action(&(test_module){bytes, size}, settings);
    free(bytes);
  }
}

#endif
