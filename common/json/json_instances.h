#pragma once

#include <nlohmann/json.hpp>

// Compiles both kinds of nlohmann/json documents once, in json_instances.cpp, instead of in every
// file that uses them. Only the precompiled headers include this header.
extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
