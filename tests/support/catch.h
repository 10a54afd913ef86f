#pragma once

// Catch2 3 has another header than 2; everything used here is the same in both.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
