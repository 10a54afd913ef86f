#pragma once

#include <cstdio>
#include <cstdlib>

/// Ends the process if a property of a fuzz target does not hold, in every build type.
#define REQUIRE_PROPERTY(condition)                                                \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)
