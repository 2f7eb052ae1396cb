# The instrumenter as wasm, by Emscripten: standalone, without JS glue. What it exports is listed beside its source; the
# host gives it two functions that it may call (memory has grown, abort).

find_program(WT_EMCC NAMES emcc REQUIRED)
find_program(WT_EMXX NAMES em++ REQUIRED)

set(exports_file ${CMAKE_SOURCE_DIR}/instrumenter/wasm/exports.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${exports_file})
file(STRINGS ${exports_file} exports REGEX "^[a-z]")
list(TRANSFORM exports PREPEND _)
list(JOIN exports , exports)

# Pages load this file: what runs once for each byte of code is made fast, all else small.
set(hot arena body buf code handshake instr opcodes plain reader)
list(TRANSFORM hot REPLACE "(.+)" "instrumenter/src/\\1.c")
set(cold ${WT_CORE_SOURCES})
list(REMOVE_ITEM cold ${hot})
set(instrumenter_flags -std=c11 -DNDEBUG -DWT_VERSION="${PROJECT_VERSION}" ${WT_WARNINGS}
  -I${CMAKE_SOURCE_DIR}/instrumenter/include -I${CMAKE_SOURCE_DIR}/guest-runtime/include)
wt_wasm_objects(hot_objects FOLDER objects/emscripten COMPILER ${WT_EMCC} FLAGS ${instrumenter_flags} -O3 SOURCES ${hot})
wt_wasm_objects(cold_objects FOLDER objects/emscripten COMPILER ${WT_EMCC} FLAGS ${instrumenter_flags} -Oz
  SOURCES ${cold} instrumenter/wasm/api.c instrumenter/wasm/ctype.c instrumenter/wasm/format.c)
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
set(libcxxabi ${emscripten}/system/lib/libcxxabi)
wt_wasm_objects(cxx_objects FOLDER objects/emscripten COMPILER ${WT_EMXX}
  FLAGS -std=c++20 -DNDEBUG -D_LIBCXXABI_BUILDING_LIBRARY -D_LIBCXXABI_HAS_NO_THREADS -fno-exceptions
        -fno-rtti -I${libcxxabi}/include -I${libcxxabi}/src -Oz
  SOURCES instrumenter/wasm/cxx.cpp)
set(instrumenter_objects ${hot_objects} ${cold_objects} ${cxx_objects})

# The stack is small so that a job's first megabyte of memory is mostly its own. It links with -O1 because em++'s
# optimiser, from -O2 on, moves functions with one caller into that caller: see OPTIMIZE.
set(WT_INSTRUMENTER_WASM ${CMAKE_BINARY_DIR}/wasm-trace.wasm)
wt_wasm_module(OUTPUT ${WT_INSTRUMENTER_WASM} LINKED ${CMAKE_BINARY_DIR}/objects/wasm-trace.wasm
  LINKER ${WT_EMXX} -O1 --no-entry -sSTANDALONE_WASM -sMALLOC=emmalloc -sALLOW_MEMORY_GROWTH -sFILESYSTEM=0
         -sTOTAL_STACK=262144 -sINITIAL_MEMORY=1048576 -sEXPORTED_FUNCTIONS=${exports}
  OBJECTS ${instrumenter_objects}
  # What clang kept out of line, it kept out for a reason: instrumenter/src/base.h, WT_NOINLINE. All of that is larger than 25
  # nodes. Below address 1024 there is nothing, Emscripten's data begin there.
  OPTIMIZE -Oz --converge --low-memory-unused --one-caller-inline-max-function-size=25)

set(artifacts ${WT_GENERATED_JS}/artifacts.js)
add_custom_command(OUTPUT ${artifacts}
  COMMAND ${WT_GENERATE} artifacts ${artifacts} ${WT_INSTRUMENTER_WASM} ${WT_GUEST_RUNTIME} ${WT_HEAP_RUNTIME}
  DEPENDS ${WT_INSTRUMENTER_WASM} ${WT_GUEST_RUNTIME} ${WT_HEAP_RUNTIME} cmake/generate.mjs VERBATIM)
add_custom_target(artifacts ALL DEPENDS ${artifacts})

# A program with threads, for the end-to-end tests. Synchronous compilation: this Emscripten's other way fetches the module,
# which Node refuses.
set(pthreads ${CMAKE_BINARY_DIR}/programs/pthreads.js)
add_custom_command(OUTPUT ${pthreads}
  COMMAND ${WT_EMCC} -std=c11 -O1 -g2 -fno-inline ${WT_WARNINGS} -pthread -sPROXY_TO_PTHREAD -sEXIT_RUNTIME
          -sDEFAULT_PTHREAD_STACK_SIZE=65536 -sWASM_ASYNC_COMPILATION=0 ${CMAKE_SOURCE_DIR}/tests/programs/pthreads.c -o ${pthreads}
  DEPENDS tests/programs/pthreads.c
  COMMENT "Building tests/programs/pthreads.c with threads" VERBATIM)
add_custom_target(pthreads ALL DEPENDS ${pthreads})
