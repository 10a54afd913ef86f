#pragma once

#include <cstdio>
#include <cstdlib>

/// Aborts the process unless the condition holds, in every build type.
#define REQUIRE_PROPERTY(condition)                                                \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)
