#pragma once

// How the library reads TOML here: as a header, with errors as values. Its assertions are off, as
// in builds without them: some input that is merely wrong, such as "[{a]]", fails them before it is
// refused.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(condition) static_cast<void>(0)

#include <toml++/toml.h>
