/* A canister of the Internet Computer in C, small but shaped like real ones: it is called by messages, keeps a table on its heap, and
   replies through the system interface. What is measured stands between two functions that only mark the place, bench_begin and
   bench_end.

     clang --target=wasm32 -O2 -mbulk-memory -ffreestanding -c -o canister.o canister.c
     clang --target=wasm32 -nostdlib -Wl,--no-entry -Wl,-z,stack-size=65536 -o canister.wasm canister.o

   In two steps, since clang with -O has wasm-opt drop the names when it links. */
#include <stddef.h>
#include <stdint.h>

#define SYSTEM(name) __attribute__((import_module("ic0"), import_name(#name)))
#define MESSAGE(name) __attribute__((export_name(name)))
#define APART __attribute__((noinline))

SYSTEM(msg_arg_data_size) uint32_t msg_arg_data_size(void);
SYSTEM(msg_arg_data_copy) void msg_arg_data_copy(void *to, uint32_t offset, uint32_t size);
SYSTEM(msg_reply_data_append) void msg_reply_data_append(const void *from, uint32_t size);
SYSTEM(msg_reply) void msg_reply(void);
SYSTEM(performance_counter) uint64_t performance_counter(uint32_t which);

/* ---- an allocator that never takes anything back ---- */

#define PAGE 65536u

extern uint8_t __heap_base;
static uintptr_t heap_end;

APART void *malloc(size_t size) {
  uintptr_t start = ((heap_end ? heap_end : (uintptr_t)&__heap_base) + 15) & ~(uintptr_t)15;
  uintptr_t end = start + size;
  uintptr_t have = __builtin_wasm_memory_size(0) * PAGE;
  if (end < start || (end > have && __builtin_wasm_memory_grow(0, (end - have + PAGE - 1) / PAGE) == (size_t)-1))
    return NULL;
  heap_end = end;
  return (void *)start;
}

/* ---- a table of balances: a tree that is not balanced itself ---- */

typedef struct account {
  uint32_t owner;
  uint64_t tokens;
  struct account *less, *more;
} account;

static account *accounts;

APART static account *open_account(uint32_t owner) {
  account *opened = malloc(sizeof(account));
  if (opened)
    *opened = (account){.owner = owner};
  return opened;
}

APART static account *find_account(account **from, uint32_t owner) {
  if (!*from)
    return *from = open_account(owner);
  if ((*from)->owner == owner)
    return *from;
  return find_account(owner < (*from)->owner ? &(*from)->less : &(*from)->more, owner);
}

APART static void deposit(uint32_t owner, uint64_t tokens) {
  account *found = find_account(&accounts, owner);
  if (found)
    found->tokens += tokens;
}

APART static uint64_t sum(const account *of) { return of ? of->tokens + sum(of->less) + sum(of->more) : 0; }

/* ---- what is measured ---- */

APART void bench_begin(void) { __asm__ volatile(""); }
APART void bench_end(void) { __asm__ volatile(""); }

static uint32_t random_number(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

APART static void deposits(uint32_t count) {
  uint32_t seed = 1;
  for (uint32_t i = 0; i < count; i++)
    deposit(random_number(&seed) >> 24, i);
}

/* ---- messages ---- */

static uint32_t read_number(void) {
  uint32_t number = 0;
  if (msg_arg_data_size() == sizeof number)
    msg_arg_data_copy(&number, 0, sizeof number);
  return number;
}

static void reply(uint64_t number) {
  msg_reply_data_append(&number, sizeof number);
  msg_reply();
}

MESSAGE("canister_init") void init(void) { deposit(128, 1); }

MESSAGE("canister_update run") void run(void) {
  uint32_t count = read_number();
  bench_begin();
  deposits(count);
  uint64_t total = sum(accounts);
  bench_end();
  reply(total);
}

MESSAGE("canister_query total") void total(void) { reply(sum(accounts)); }

/* What canisters that measure themselves say. */
MESSAGE("canister_query counter") void counter(void) { reply(performance_counter(0)); }
