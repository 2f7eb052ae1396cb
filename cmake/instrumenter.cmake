# The instrumenter: the core as a static library, the native command and the C tests over it.

find_package(ZLIB REQUIRED)

set(WT_CORE_SOURCES
  instrumenter/src/additions.c
  instrumenter/src/arena.c
  instrumenter/src/arrivals.c
  instrumenter/src/body.c
  instrumenter/src/buf.c
  instrumenter/src/check.c
  instrumenter/src/clock.c
  instrumenter/src/code.c
  instrumenter/src/code_sections.c
  instrumenter/src/count.c
  instrumenter/src/demangle.c
  instrumenter/src/demangle_rust_legacy.c
  instrumenter/src/demangle_rust_v0.c
  instrumenter/src/demangle_rust_v0_const.c
  instrumenter/src/demangle_rust_v0_parse.c
  instrumenter/src/edits.c
  instrumenter/src/emit.c
  instrumenter/src/entries.c
  instrumenter/src/error.c
  instrumenter/src/escape.c
  instrumenter/src/event.c
  instrumenter/src/guard.c
  instrumenter/src/handshake.c
  instrumenter/src/heap.c
  instrumenter/src/heap_choose.c
  instrumenter/src/heap_reader.c
  instrumenter/src/inlining.c
  instrumenter/src/instr.c
  instrumenter/src/job.c
  instrumenter/src/js_scan.c
  instrumenter/src/layout.c
  instrumenter/src/limits.c
  instrumenter/src/link.c
  instrumenter/src/merge.c
  instrumenter/src/metadata.c
  instrumenter/src/name_entries.c
  instrumenter/src/name_forms.c
  instrumenter/src/name_section.c
  instrumenter/src/names.c
  instrumenter/src/opcodes.c
  instrumenter/src/pattern.c
  instrumenter/src/plain.c
  instrumenter/src/plan.c
  instrumenter/src/probe.c
  instrumenter/src/punycode.c
  instrumenter/src/reader.c
  instrumenter/src/rest.c
  instrumenter/src/rewrite.c
  instrumenter/src/runtime.c
  instrumenter/src/scan.c
  instrumenter/src/scan_imports.c
  instrumenter/src/scan_segments.c
  instrumenter/src/scan_types.c
  instrumenter/src/shim.c
  instrumenter/src/scratch.c
  instrumenter/src/select.c
  instrumenter/src/suggest.c
  instrumenter/src/symbols.c
  instrumenter/src/symbols_glue.c
  instrumenter/src/tables.c
  instrumenter/src/text.c
  instrumenter/src/thunk.c
  instrumenter/src/tool_sections.c
  instrumenter/src/trampolines.c
  instrumenter/src/valtype.c
  instrumenter/src/version.c
  instrumenter/src/weights.c)

set(WT_CLI_SOURCES
  instrumenter/cli/core_options.c
  instrumenter/cli/gzip.c
  instrumenter/cli/help.c
  instrumenter/cli/input.c
  instrumenter/cli/instrument.c
  instrumenter/cli/main.c
  instrumenter/cli/message.c
  instrumenter/cli/options.c
  instrumenter/cli/output.c
  instrumenter/cli/restore.c
  instrumenter/cli/section.c
  instrumenter/cli/symbols.c
  instrumenter/cli/weights.c)

set(WT_UNIT_TESTS
  buf
  demangle
  edits
  limits
  names
  opcodes
  pattern
  probe
  reader
  symbols)

# The runtime as a C array, so that the native command is one file.
set(WT_EMBEDDED_RUNTIME ${CMAKE_BINARY_DIR}/generated/guest_runtime.c)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${WT_EMBEDDED_RUNTIME}
  COMMAND ${WT_GENERATE} embed ${WT_EMBEDDED_RUNTIME} ${WT_GUEST_RUNTIME} ${WT_HEAP_RUNTIME}
  DEPENDS ${WT_GUEST_RUNTIME} ${WT_HEAP_RUNTIME} cmake/generate.mjs VERBATIM)

# And the tables that --weights knows by name.
set(WT_WEIGHT_TABLES ${CMAKE_SOURCE_DIR}/weights/internet-computer.txt)
set(WT_EMBEDDED_TABLES ${CMAKE_BINARY_DIR}/generated/weight_tables.c)
add_custom_command(OUTPUT ${WT_EMBEDDED_TABLES}
  COMMAND ${WT_GENERATE} tables ${WT_EMBEDDED_TABLES} ${WT_WEIGHT_TABLES}
  DEPENDS ${WT_WEIGHT_TABLES} cmake/generate.mjs VERBATIM)

add_library(wt_native INTERFACE)
target_compile_options(wt_native INTERFACE ${WT_WARNINGS})
if(WT_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_compile_options(wt_native INTERFACE ${sanitize} -O1 -fno-omit-frame-pointer)
  target_link_options(wt_native INTERFACE ${sanitize})
endif()

add_library(wt_core STATIC ${WT_CORE_SOURCES})
target_include_directories(wt_core PUBLIC instrumenter/include PRIVATE guest-runtime/include)
target_compile_definitions(wt_core PRIVATE WT_VERSION="${PROJECT_VERSION}")
target_link_libraries(wt_core PRIVATE wt_native)
# Demangling C++ symbols is the C++ runtime's __cxa_demangle.
target_link_libraries(wt_core PUBLIC stdc++)

add_library(wt_embedded_runtime STATIC ${WT_EMBEDDED_RUNTIME})
target_link_libraries(wt_embedded_runtime PRIVATE wt_native)

if(WT_CLI_SOURCES)
  add_executable(wasm-trace ${WT_CLI_SOURCES} ${WT_EMBEDDED_TABLES})
  target_include_directories(wasm-trace PRIVATE instrumenter/cli)
  target_compile_definitions(wasm-trace PRIVATE _POSIX_C_SOURCE=200809L)
  target_link_libraries(wasm-trace PRIVATE wt_native wt_core wt_embedded_runtime ZLIB::ZLIB)
  set_target_properties(wasm-trace PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/native)
endif()

enable_testing()
foreach(name IN LISTS WT_UNIT_TESTS)
  add_executable(test_${name} tests/unit/test_${name}.c)
  target_include_directories(test_${name} PRIVATE instrumenter/src instrumenter/cli guest-runtime/include)
  target_link_libraries(test_${name} PRIVATE wt_native wt_core wt_embedded_runtime)
  add_test(NAME ${name} COMMAND test_${name})
endforeach()
