# The runtime that is linked into debuggees: freestanding C for wasm32, by wasi-sdk when WASI_SDK_PATH is set, else by
# the distribution's clang and lld. Its exports are marked in the sources; whatever they do not need is dropped.

if(WASI_SDK_PATH)
  set(guest_clang ${WASI_SDK_PATH}/bin/clang)
else()
  find_program(guest_clang NAMES clang REQUIRED)
endif()

set(guest_sources
  guest-runtime/src/call_tree.c
  guest-runtime/src/histogram.c
  guest-runtime/src/position.c
  guest-runtime/src/ring.c
  guest-runtime/src/timed_tree.c
  guest-runtime/src/window.c)

# No stack: the sources need none, and its memory belongs to the regions that the instrumenter lays out.
# Binaryen must inline nothing: clang has inlined what the sources want inlined, and a slow path taken
# in would make the fast one too large for engines to inline.
function(wt_guest_runtime output folder)
  wt_wasm_objects(objects FOLDER objects/${folder}
    COMPILER ${guest_clang} --target=wasm32
    FLAGS -std=c11 -O3 -ffreestanding -mcpu=mvp -mbulk-memory -msign-ext -matomics ${WT_WARNINGS}
          -I${CMAKE_SOURCE_DIR}/guest-runtime/include ${ARGN}
    SOURCES ${guest_sources})
  wt_wasm_module(OUTPUT ${output} LINKED ${CMAKE_BINARY_DIR}/objects/${folder}.wasm
    LINKER ${guest_clang} --target=wasm32 -nostdlib -Wl,--no-entry -Wl,-z,stack-size=0 -Wl,--initial-memory=65536
    OBJECTS ${objects}
    OPTIMIZE -O3 --one-caller-inline-max-function-size=0 --always-inline-max-function-size=0 --flexible-inline-max-function-size=0 -g)
endfunction()

set(WT_GUEST_RUNTIME ${CMAKE_BINARY_DIR}/guest-runtime.wasm)
wt_guest_runtime(${WT_GUEST_RUNTIME} guest)

# The one that lives in a block of the debuggee's heap.
set(WT_HEAP_RUNTIME ${CMAKE_BINARY_DIR}/guest-runtime-heap.wasm)
wt_guest_runtime(${WT_HEAP_RUNTIME} guest-heap -DWTR_HEAP)

add_custom_target(guest-runtime ALL DEPENDS ${WT_GUEST_RUNTIME} ${WT_HEAP_RUNTIME})
