#include "cli/replay/send/reply_text.h"

#include <nlohmann/json.hpp>

namespace analytics::cli {

std::string reply_text(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace analytics::cli
