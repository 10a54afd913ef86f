#pragma once

// Catch2 3 and 2 have different headers; everything that the tests use is the same in both.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
