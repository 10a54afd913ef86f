#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/requests.h"

namespace analytics::cli {
namespace {

std::string exclusions_path(const std::string& domain) { return site_path(domain) + "/exclusions"; }

}  // namespace

Outcome<ExitCode> add_exclusion(const ExclusionOptions& options, Context& context) {
  std::vector<std::pair<std::string, std::string>> given;
  for (const auto& [type, value] : {std::pair{"address", &options.address},
                                    {"page", &options.page},
                                    {"hostname", &options.hostname}}) {
    if (!value->empty()) given.emplace_back(type, *value);
  }
  if (given.size() != 1) {
    return give_up(ExitCode::kUsage,
                   "sites exclude add requires one of --address, --page and --only-hostname",
                   "usage");
  }
  const ApiClient::Request request{"PUT",
                                   exclusions_path(options.domain),
                                   {{"type", given.front().first}, {"value", given.front().second}},
                                   true,
                                   true,
                                   {},
                                   {}};
  return run_change(
      request, {"id"},
      [](const nlohmann::ordered_json& exclusion) {
        return "exclusion " + exclusion.value("id", "");
      },
      context);
}

Outcome<ExitCode> list_exclusions(const ExclusionOptions& options, Context& context) {
  const auto exclusions = TRY(read_pages(exclusions_path(options.domain), "exclusions", context));
  return print_list(exclusions, "exclusions", {"id", "type", "value"}, context);
}

Outcome<ExitCode> remove_exclusion(const ExclusionOptions& options, Context& context) {
  return run_delete({"DELETE",
                     exclusions_path(options.domain) + "/" + percent_encode(options.id),
                     {},
                     true,
                     true,
                     {},
                     {}},
                    options.if_exists, "the exclusion " + options.id, context);
}

}  // namespace analytics::cli
