#pragma once

#include <cstdio>
#include <cstdlib>

/// A property of a fuzz target: what is not so ends the process, whatever the build.
#define REQUIRE_PROPERTY(condition)                                                \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)
