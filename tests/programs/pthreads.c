/* Threads by Emscripten's -pthread, to be traced by the end-to-end tests: pthreads.js [join|nested|exit]
   Three threads work 100, 200 and 300 steps. `nested`: each is started by the one before. `exit`: they go on in a loop, and
   the program ends while they are in it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3

static atomic_int done;
static bool nested, spins;

static int step(int i) {
  __asm__ volatile(""); /* or the compiler would see that nothing is done */
  return i + 1;
}

static void *run_thread(void *argument);

static void start_thread(pthread_t *thread, intptr_t number) {
  if (pthread_create(thread, NULL, run_thread, (void *)number))
    abort();
}

static void work(intptr_t number) {
  for (int i = 0; i < number * 100;)
    i = step(i);
  atomic_fetch_add(&done, 1);
}

static void *run_thread(void *argument) {
  intptr_t number = (intptr_t)argument;
  pthread_t next;
  bool has_next = nested && number < THREADS;
  if (has_next)
    start_thread(&next, number + 1);
  work(number);
  if (has_next)
    pthread_join(next, NULL);
  for (atomic_bool forever = spins; forever;)
    continue;
  return NULL;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "join";
  pthread_t threads[THREADS];
  nested = strcmp(how, "nested") == 0;
  spins = strcmp(how, "exit") == 0;
  intptr_t count = nested ? 1 : THREADS;
  for (intptr_t i = 0; i < count; i++)
    start_thread(&threads[i], i + 1);
  for (intptr_t i = 0; i < count && !spins; i++)
    pthread_join(threads[i], NULL);
  while (atomic_load(&done) < THREADS)
    continue;
  puts("done");
  exit(0);
}
