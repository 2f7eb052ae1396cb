/* wasm-trace, the instrumenter: reads a WebAssembly module and a question about it, and answers with the edits that make
   the module record the answer while it runs. The core does no I/O, keeps no global state, never exits and never prints.

   One job is one module:

     wt_job *job = wt_job_new(NULL);
     if (wt_job_set(job, WT_OPTION_TRACE, "arg(0, malloc)", 14) &&
         wt_job_run(job, module, module_size, runtime, runtime_size))
       write_edits(wt_job_edits(job));
     else
       report(wt_job_error(job));
     wt_job_free(job);

   A job and what it returns belong to one thread at a time. Input bytes are borrowed: they must stay as they are until
   wt_job_free. Everything returned is owned by the job and lives until wt_job_free. */
#ifndef WASM_TRACE_H
#define WASM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wt_job wt_job;

/* A replaceable allocator: realloc semantics (size 0 frees and returns NULL); NULL means out of memory. */
typedef struct wt_allocator {
  void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
  void *user;
} wt_allocator;

typedef enum wt_option {
  WT_OPTION_TRACE = 0,    /* a probe: "calls(PATTERN)", "arg(0, malloc)", "arg0:malloc" ...; repeatable */
  WT_OPTION_DISPLAY = 1,  /* log | nested | tree | inverted | callers(PATTERN) | report | histogram; repeatable; decides
                             what the runtime keeps */
  WT_OPTION_HIDE = 2,     /* PATTERN: drop these functions, keep their children; repeatable */
  WT_OPTION_ONLY = 3,     /* PATTERN: record only inside calls of these (--only, --during); repeatable */
  WT_OPTION_MIN_SIZE = 4, /* bytes of a body (decimal): leave out smaller functions */
  WT_OPTION_LINK =
      5, /* merged | split | auto (the default): merged, or split where that would pass an engine's limit | heap: merged,
            and what is recorded is kept in a block that the module's own allocator hands out */
  WT_OPTION_BUFFER = 6, /* ring size in bytes, with an optional K, M or G; rounded up to a power of two */
  WT_OPTION_STACK = 7,  /* "1": add the stack to every event */
  WT_OPTION_DEFER_START =
      8, /* "1": export the start function as __wasm_trace_start, where that lets more be seen of it (split, or
                                traps asked for); the caller runs it when the probes are connected */
  WT_OPTION_SYMBOLS = 9, /* the CONTENT of a symbols file: Emscripten .symbols, JS glue, a module with names */
  WT_OPTION_LEGACY_EXCEPTIONS = 10, /* "1": the engine has legacy exception handling, so a module without exceptions of
                                       its own may get some: what an import throws then leaves the stack right */
  WT_OPTION_GUESSED_SYMBOLS = 11, /* like SYMBOLS, of a file that the user did not name: a useless one is no warning */
  WT_OPTION_SOME_MATCH = 12, /* "1": a probe or --hide that matches nothing is no error while some probe matches: for
                                programs of several modules */
  WT_OPTION_SHARED = 13, /* "1": a merged runtime's memory is a shared one, which another thread can read; it is so in
                            any case where the debuggee has a shared memory, or the clock is a ticker */
  WT_OPTION_CLOCK = 14,  /* none | ticker | instructions | host | import:MODULE.NAME | auto: what the probes read as the
                             time; auto where something is asked for that needs one */
  WT_OPTION_WEIGHTS =
      15,               /* the CONTENT of a table of weights: `instructions` counts these instead of ones (borrowed) */
  WT_OPTION_FROM = 16,  /* PATTERN: recording begins when one of these is called; repeatable */
  WT_OPTION_UNTIL = 17, /* PATTERN: and ends when one of these is called; repeatable */
  WT_OPTION_SKIP = 18,  /* events to leave out at first (decimal) */
  WT_OPTION_MAX_EVENTS = 19, /* and how many to record then */
  WT_OPTION_ON_FULL = 20,    /* overwrite | drain | stop | aggregate: when the ring is full */
  WT_OPTION_STOPPED = 21,    /* "1": nothing is recorded until the host says so */
  WT_OPTION_WALL = 22, /* "1": where `auto` comes to instructions, the host's clock is read around calls of the host */
  WT_OPTION_AUTO_CLOCK = 23, /* ticker | instructions (the default) | host: what `auto` means here */
  WT_OPTION_ALLOCATOR = 24,  /* PATTERN: --link heap gets its block from this function, (i32 size) or (i32 size, i32
                               alignment) -> i32, instead of an allocator that is known */
  WT_OPTION_NODES = 25,      /* --link heap: nodes of the call tree, a power of two */
} wt_option;

typedef enum wt_status {
  WT_OK = 0,
  WT_ERROR_MODULE,    /* malformed, invalid or unsupported module: offset says where */
  WT_ERROR_COMPONENT, /* a component, not a core module */
  WT_ERROR_TRACED,    /* the module has been instrumented already */
  WT_ERROR_PROBE,     /* a probe, pattern or option does not parse: offset is a column in its text */
  WT_ERROR_NO_MATCH,  /* nothing matches; the message suggests near names */
  WT_ERROR_LIMIT,     /* the result would pass a limit of the engines */
  WT_ERROR_MEMORY,    /* out of memory */
} wt_status;

#define WT_NO_OFFSET SIZE_MAX

typedef struct wt_error {
  wt_status status;
  size_t offset;       /* byte offset in the module or column in the text; WT_NO_OFFSET when neither applies */
  const char *message; /* a sentence without a full stop, UTF-8, never NULL */
} wt_error;

/* Copy input[cursor, copy_end), append the next insert_size bytes of the insert stream, go on at cursor = resume. After
   the last edit copy the rest of the input. */
typedef struct wt_edit {
  uint32_t copy_end;
  uint32_t resume;
  uint32_t insert_size;
} wt_edit;

typedef struct wt_edits {
  const wt_edit *edits;
  size_t count;
  const uint8_t *inserts;
  size_t inserts_size;
  size_t output_size; /* size of the instrumented module */
} wt_edits;

typedef enum wt_text {
  WT_TEXT_LIST = 0,     /* for --list: what the selection matches, with counts, sizes and the growth of the module */
  WT_TEXT_SUMMARY = 1,  /* one to a few lines: what was instrumented, growth, engines in which the result runs */
  WT_TEXT_WARNINGS = 2, /* things the user should know, a line each; empty when there are none */
  WT_TEXT_MISSES = 3 /* patterns that matched nothing, which WT_OPTION_SOME_MATCH let pass, a line each: a number that
                           stands for the pattern with the same options, and a sentence */
} wt_text;

/* The version of the package, as in "0.1.0". */
const char *wt_version(void);

/* Makes a job. allocator may be NULL (the C library's). NULL only when out of memory. */
wt_job *wt_job_new(const wt_allocator *allocator);
void wt_job_free(wt_job *job);

/* Sets an option from text that need not end in NUL. The text is copied (symbols: borrowed). false on an error. */
bool wt_job_set(wt_job *job, wt_option option, const char *text, size_t size);

/* Instruments. `runtime` is the content of guest-runtime.wasm, for link mode heap of guest-runtime-heap.wasm. With no WT_OPTION_TRACE set there is nothing to do and the
   edits are empty. false on an error; then there are no edits. Call it once. */
bool wt_job_run(wt_job *job, const uint8_t *module, size_t module_size, const uint8_t *runtime, size_t runtime_size);

/* Reads a module to its end, checking structure, indices and opcodes, and nothing else: the check of an output. */
bool wt_job_check(wt_job *job, const uint8_t *module, size_t module_size);

/* Where instructions are counted, a block is counted at its beginning. *rest becomes what is too much when the instruction at
   `offset` of the original module traps: the weight of those behind it in its block, by the job's weights. false when no
   instruction begins there, which is no error of the job, or on an error. */
bool wt_job_rest_of_block(wt_job *job, const uint8_t *module, size_t size, size_t offset, uint64_t *rest);

/* The first error of the job; status WT_OK when there was none. */
wt_error wt_job_error(const wt_job *job);

wt_edits wt_job_edits(const wt_job *job);

/* A text of a finished run, lines ending in '\n', or "" ; *size gets its length. Out of memory, it is "" and the
   error of the job. */
const char *wt_job_text(wt_job *job, wt_text which, size_t *size);

/* Copies input to output by the edits; output has room for edits.output_size bytes. */
void wt_edits_apply(wt_edits edits, const uint8_t *input, size_t input_size, uint8_t *output);

/* Where a reading of the output stands. All zero: at its beginning. */
typedef struct wt_edits_cursor {
  size_t piece;
  const uint8_t *next; /* the rest of the piece */
  size_t left;
  size_t input_read;
  size_t inserts_read;
} wt_edits_cursor;

/* The output in parts: writes the next at most `capacity` bytes and returns how many; 0 at its end. */
size_t wt_edits_read(wt_edits edits, const uint8_t *input, size_t input_size, wt_edits_cursor *cursor, uint8_t *output,
                     size_t capacity);

/* Readable form of a C++ (Itanium) or Rust (legacy, v0) symbol; returns the name itself, copied, when it is none.
   The result is owned by the job. NULL when out of memory. */
const char *wt_job_demangle(wt_job *job, const char *name, size_t size, size_t *out_size);

#endif
