/* Preloaded into a program: its n-th allocation (environment: FAIL_AT, from 0) fails, and so do all behind it unless FAIL_ALONE is
   set. At the end it says on stderr whether it came to that. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static long fail_at = -1;
static int alone;
static long asked;

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("FAIL_AT");
  alone = getenv("FAIL_ALONE") != NULL;
  fail_at = number ? atol(number) : -1;
  asked = 0;
}

__attribute__((destructor)) static void finish(void) {
  static const char message[] = "an allocation has failed\n";
  if (fail_at >= 0 && asked > fail_at)
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
}

static int fails(void) {
  long n = asked++;
  if (fail_at < 0 || n < fail_at || (alone && n > fail_at))
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
