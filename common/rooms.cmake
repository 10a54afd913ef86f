# How every library and program here is built.

# Precompiles what nearly every file includes, and further headers, for `target` and for the targets
# that name it as their `owner`. An owner has few compile definitions: GCC precompiles for those
# whose definitions include the owner's.
function(analytics_precompile target owner)
  if(NOT ANALYTICS_PCH)
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache
  endif()
  if(NOT target STREQUAL owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    <algorithm>
    <array>
    <atomic>
    <chrono>
    <filesystem>
    <functional>
    <map>
    <memory>
    <mutex>
    <optional>
    <set>
    <span>
    <string>
    <string_view>
    <thread>
    <unordered_map>
    <variant>
    <vector>
    <nlohmann/json.hpp>
    <tl/expected.hpp>
    "${CMAKE_SOURCE_DIR}/common/json_instances.h"
    ${ARGN})
endfunction()

# A room: a folder, and a static library of it that links only what it may use.
#   analytics_room(NAME SOURCES file… USES room… LIBRARIES library…)
# Public headers of a room may show those of the rooms in USES, never those of LIBRARIES.
function(analytics_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SOURCES;USES;LIBRARIES")
  if(NOT room_SOURCES) # interfaces alone
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${room_USES})
    return()
  endif()
  add_library(${name} STATIC ${room_SOURCES})
  target_link_libraries(${name} PUBLIC ${room_USES} PRIVATE analytics_settings ${room_LIBRARIES})
  analytics_precompile(${name} analytics_json)
  if(ANALYTICS_TESTS AND NOT "fuzzer-no-link" IN_LIST ANALYTICS_SANITIZE)
    # The linker proves the layers: this library is made of the room and what it may use, whole.
    add_library(${name}_alone MODULE $<TARGET_OBJECTS:${name}>)
    target_link_libraries(${name}_alone PRIVATE analytics_settings ${room_USES} ${room_LIBRARIES})
    target_link_options(${name}_alone PRIVATE -Wl,-z,defs)
    set_target_properties(${name}_alone PROPERTIES
      LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/alone)
  endif()
endfunction()
