/* The smallest test runner: failures are printed and counted; main returns whether there were any. */
#ifndef WT_TEST_CHECK_H
#define WT_TEST_CHECK_H

#include <stdbool.h>
#include <stdio.h>

static int failures;

static void check(bool good, const char *test, const char *what) {
  if (good)
    return;
  printf("%s: %s\n", test, what);
  failures++;
}

#endif
