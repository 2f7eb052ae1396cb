# What the tests build besides the unit tests: native programs for those that make thousands of modules, and fuzzers.

foreach(name transform allocations rests)
  add_executable(wt_${name} tests/core/${name}.c)
  target_include_directories(wt_${name} PRIVATE instrumenter/cli)
  target_link_libraries(wt_${name} PRIVATE wt_native wt_core wt_embedded_runtime)
endforeach()

option(WT_FUZZ "Build the fuzzers; needs clang, and WT_SANITIZE to be of much use" OFF)
if(WT_FUZZ)
  target_compile_options(wt_native INTERFACE -fsanitize=fuzzer-no-link)
  foreach(name module reader probe)
    add_executable(fuzz_${name} tests/fuzz/fuzz_${name}.c)
    target_include_directories(fuzz_${name} PRIVATE instrumenter/cli)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz_${name} PRIVATE wt_native wt_core wt_embedded_runtime)
  endforeach()
endif()

# Needs the names that glibc gives its own allocator; a sanitizer has one of its own.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT WT_SANITIZE AND NOT EMSCRIPTEN)
  add_library(failing_malloc MODULE tests/e2e/failing_malloc.c)
endif()
