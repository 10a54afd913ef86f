#pragma once

// Includes Catch2. Versions 2 and 3 have different headers, but the parts that the tests use are
// equal.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
