# Functions that build every library and program of this project.

# Precompiles the headers that nearly every source includes, and those in ARGN, into `target`.
# Other targets reuse them with its options: see analytics_precompiled().
function(analytics_precompile target)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/nothing.cpp CONTENT "")
  add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/generated/nothing.cpp)
  target_link_libraries(${target} PRIVATE
    analytics_settings
    Threads::Threads
    nlohmann_json::nlohmann_json)
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
    <common/json/json_instances.h>
    ${ARGN})
  analytics_precompiled(${target} ${target})
endfunction()

# Compiles `target` with the headers and the options of `headers`, a target of
# analytics_precompile().
function(analytics_precompiled target headers)
  if(NOT target STREQUAL headers)
    target_precompile_headers(${target} REUSE_FROM ${headers})
    get_target_property(options ${headers} COMPILE_OPTIONS)
    target_compile_options(${target} PRIVATE ${options})
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp") # for ccache
  endif()
  if(NOT ANALYTICS_PCH)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# A room: a folder, and a static library of it that links only what it may use.
#   analytics_room(NAME [COLD] SOURCES file… USES room… LIBRARIES library…)
# Public headers of a room may include those of the rooms in USES, never those of LIBRARIES. A COLD
# room is compiled with less optimisation (common/CMakeLists.txt). `api`, which handles each event,
# and `cluster`, which ships events, are COLD too: their speed has not been measured with it.
function(analytics_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "COLD" "" "SOURCES;USES;LIBRARIES")
  if(NOT room_SOURCES) # headers alone
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${room_USES})
    return()
  endif()
  add_library(${name} STATIC ${room_SOURCES})
  target_link_libraries(${name} PUBLIC ${room_USES} PRIVATE analytics_settings ${room_LIBRARIES})
  if(room_COLD)
    analytics_precompiled(${name} analytics_cold_headers)
  else()
    analytics_precompiled(${name} analytics_headers)
  endif()
  if(ANALYTICS_TESTS AND NOT ANALYTICS_SANITIZE)
    # This library contains the room and the rooms that it may use, so that the linker rejects an
    # undeclared dependency.
    add_library(${name}_alone MODULE $<TARGET_OBJECTS:${name}>)
    target_link_libraries(${name}_alone PRIVATE analytics_settings ${room_USES} ${room_LIBRARIES})
    target_link_options(${name}_alone PRIVATE -Wl,-z,defs)
    set_target_properties(${name}_alone PROPERTIES
      LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/alone)
  endif()
endfunction()

# Builds a program that runs while the project is built. It is not optimised, because it runs once
# and optimising it takes longer.
#   analytics_generator(NAME SOURCES file… LIBRARIES library…)
function(analytics_generator name)
  cmake_parse_arguments(PARSE_ARGV 1 generator "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${generator_SOURCES})
  target_link_libraries(${name} PRIVATE analytics_settings ${generator_LIBRARIES})
  target_compile_options(${name} PRIVATE -O0 -U_FORTIFY_SOURCE)
endfunction()
