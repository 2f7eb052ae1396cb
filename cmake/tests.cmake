# What the tests build besides the unit tests: a native transform for those that make thousands of modules.

add_executable(wt_transform tests/core/transform.c)
target_include_directories(wt_transform PRIVATE instrumenter/cli)
target_link_libraries(wt_transform PRIVATE wt_native wt_core wt_embedded_runtime)
