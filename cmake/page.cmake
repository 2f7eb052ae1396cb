# The scripts for pages, by esbuild from npm: cmake/bundle.mjs tells what they are.

set(page_folder ${CMAKE_BINARY_DIR}/web)
add_custom_command(OUTPUT ${page_folder}/wasm-trace.js
  BYPRODUCTS ${page_folder}/wasm-trace.mjs ${page_folder}/wasm-trace-panel.js ${page_folder}/wasm-trace-report.js
  COMMAND ${WT_NODE} ${CMAKE_SOURCE_DIR}/cmake/bundle.mjs ${PROJECT_VERSION} ${page_folder} ${CMAKE_BINARY_DIR}/page.d
          ${WT_INSTRUMENTER_WASM} ${WT_GUEST_RUNTIME}
  DEPENDS ${WT_INSTRUMENTER_WASM} ${WT_GUEST_RUNTIME} ${layout} cmake/bundle.mjs cmake/depfile.mjs cmake/page-text.mjs
  DEPFILE ${CMAKE_BINARY_DIR}/page.d
  COMMENT "Bundling the scripts for pages" VERBATIM)
add_custom_target(page ALL DEPENDS ${page_folder}/wasm-trace.js)
