#pragma once

#include <nlohmann/json.hpp>

// Without optimisation, both kinds of JSON documents are compiled once, in json_instances.cpp,
// instead of in every file that uses them; with it, callers inline most of what they use. Only the
// precompiled header includes this.
#ifndef NDEBUG
extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
#endif
