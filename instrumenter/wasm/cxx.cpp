// The C++ demangler of Emscripten's library, compiled anew: the library's own comes with the types of all its classes, and with
// handlers that print what the program dies of, which search among those. Nothing here is thrown or asked for its type.
#include "cxa_demangle.cpp"

// What is called in states that the demangler thinks impossible.
void std::terminate() noexcept { __builtin_trap(); }
extern "C" void __cxa_pure_virtual() { __builtin_trap(); }

// Of destructors that nobody calls.
void operator delete(void *pointer) noexcept { std::free(pointer); }
