#define TOML_IMPLEMENTATION
#include "common/io/toml.h"
