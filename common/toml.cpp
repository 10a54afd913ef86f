#define TOML_IMPLEMENTATION
#include "common/toml.h"
