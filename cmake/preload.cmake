# The preload as one file, by esbuild from npm.

set(preload ${CMAKE_BINARY_DIR}/preload/preload.cjs)
add_custom_command(OUTPUT ${preload}
  COMMAND ${WT_NODE} ${CMAKE_SOURCE_DIR}/cmake/bundle-preload.mjs ${preload} ${CMAKE_BINARY_DIR}/preload.d
  DEPENDS ${layout} cmake/bundle-preload.mjs cmake/depfile.mjs
  DEPFILE ${CMAKE_BINARY_DIR}/preload.d
  COMMENT "Bundling the preload" VERBATIM)
add_custom_target(preload ALL DEPENDS ${preload})
