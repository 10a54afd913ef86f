#pragma once

// Settings for toml++: errors are values, and only toml.cpp compiles the parser. Assertions are off
// because some invalid input, such as "[{a]]", fails them before the parser rejects it.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 0
#define TOML_ASSERT(condition) static_cast<void>(0)

#include <toml++/toml.h>
