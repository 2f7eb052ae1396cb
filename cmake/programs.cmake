# Programs to trace: WASI commands in C, for `npm start` and the end-to-end tests. Not inlined, so that a trace shows
# the functions of the source; linked without -O, or clang would run whichever wasm-opt it finds, which drops the names.

set(program_flags --target=wasm32-wasi)
if(WASI_SDK_PATH)
  list(APPEND program_flags --sysroot=${WASI_SDK_PATH}/share/wasi-sysroot)
endif()

set(programs)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/programs)
foreach(name json)
  wt_wasm_objects(objects FOLDER objects/programs
    COMPILER ${guest_clang} ${program_flags}
    FLAGS -std=c11 -O2 -fno-inline ${WT_WARNINGS}
    SOURCES tests/programs/${name}.c)
  set(program ${CMAKE_BINARY_DIR}/programs/${name}.wasm)
  add_custom_command(OUTPUT ${program}
    COMMAND ${guest_clang} ${program_flags} ${objects} -o ${program}
    DEPENDS ${objects} VERBATIM)
  list(APPEND programs ${program})
endforeach()

# The canister of the examples: no C library, as such hosts have none of what it asks for.
wt_wasm_objects(objects FOLDER objects/programs
  COMPILER ${guest_clang} --target=wasm32
  FLAGS -std=c11 -O2 -mbulk-memory -ffreestanding ${WT_WARNINGS}
  SOURCES examples/canister/canister.c)
set(program ${CMAKE_BINARY_DIR}/programs/canister.wasm)
add_custom_command(OUTPUT ${program}
  COMMAND ${guest_clang} --target=wasm32 -nostdlib -Wl,--no-entry -Wl,-z,stack-size=65536 ${objects} -o ${program}
  DEPENDS ${objects} VERBATIM)
list(APPEND programs ${program})

add_custom_target(programs ALL DEPENDS ${programs})
