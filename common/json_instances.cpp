#include "common/json_instances.h"

#ifndef NDEBUG
template class nlohmann::basic_json<>;
template class nlohmann::basic_json<nlohmann::ordered_map>;
#endif
