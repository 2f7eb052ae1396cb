# Compiling C to wasm beside the native build: objects one by one, so that Ninja rebuilds what changed, and Binaryen's
# optimiser from npm over the linked file.

# Compiles SOURCES with the command COMPILER FLAGS and puts the objects' paths into the variable `out`.
function(wt_wasm_objects out)
  cmake_parse_arguments(arg "" "FOLDER" "COMPILER;FLAGS;SOURCES" ${ARGN})
  set(objects)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path ${source} ABSOLUTE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${arg_FOLDER}/${source}.o)
    get_filename_component(folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${object}
      COMMAND ${arg_COMPILER} ${arg_FLAGS} -MD -MF ${object}.d -c ${path} -o ${object}
      DEPENDS ${path} DEPFILE ${object}.d
      COMMENT "Compiling ${source} to wasm" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# Links OBJECTS with the command LINKER into LINKED and optimises that into OUTPUT. The features name what the result
# may use, so that it runs in every engine that the project supports.
function(wt_wasm_module)
  cmake_parse_arguments(arg "" "OUTPUT;LINKED" "LINKER;OBJECTS;DEPENDS;OPTIMIZE" ${ARGN})
  add_custom_command(OUTPUT ${arg_OUTPUT} BYPRODUCTS ${arg_LINKED}
    COMMAND ${arg_LINKER} ${arg_OBJECTS} -o ${arg_LINKED}
    COMMAND ${WT_WASM_OPT} --mvp-features --enable-bulk-memory --enable-bulk-memory-opt --enable-sign-ext
            ${arg_OPTIMIZE} --strip-producers --strip-target-features ${arg_LINKED} -o ${arg_OUTPUT}
    DEPENDS ${arg_OBJECTS} ${arg_DEPENDS}
    COMMENT "Linking ${arg_OUTPUT}" VERBATIM)
endfunction()
