/* Readable forms of symbols: C++ (Itanium), by the C++ library; Rust, legacy and v0, by our own. Hashes are dropped. */
#ifndef WT_DEMANGLE_H
#define WT_DEMANGLE_H

#include "scratch.h"

/* A readable form longer than this is not worth reading: the symbol stays as it is. */
#define WT_DEMANGLE_LIMIT 32768u

/* Whether it looks like a mangled symbol; cheap. */
bool wt_is_mangled(wt_slice symbol);

/* Of a mangled symbol: whether it is one of Rust rather than C++; cheap, so for legacy ones by the hash alone. */
bool wt_is_rust(wt_slice symbol);

/* Clears `out` and writes the readable form. false when symbol is none that we can read; `out` is then of no use. */
bool wt_demangle_to(wt_scratch *out, wt_slice symbol);

/* The parts of wt_demangle_to; `out` is cleared by the caller. `symbol` starts behind any extra underscore. */
bool wt_demangle_rust_legacy(wt_scratch *out, wt_slice symbol); /* _ZN...17h0123456789abcdefE */
bool wt_demangle_rust_v0(wt_scratch *out, wt_slice symbol);     /* _R... */

/* Compilers add ".suffix" to copies of a function: shown as " [clone .suffix]", left out when it only tells the linker
   something (".llvm.123"). `suffix` may be empty. */
void wt_demangle_suffix(wt_scratch *out, wt_slice suffix);

/* Decodes the two halves of a punycode identifier as v0 writes it. false when malformed; `out` may then hold a part. */
bool wt_punycode(wt_scratch *out, wt_slice basic, wt_slice deltas);

/* The name without "::h0123456789abcdef" at its end. */
wt_slice wt_drop_rust_hash(wt_slice name);

/* The name without the hash of a wasm-bindgen import at its end: __wbg_log_0123456789abcdef -> __wbg_log. */
wt_slice wt_drop_wbg_hash(wt_slice name);

#endif
