#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/provisioning.h"

namespace analytics::cli {
namespace {

constexpr char kLinksPath[] = "/api/v1/sites/shared-links";

}  // namespace

Outcome<ExitCode> ensure_link(const LinkOptions& options, Context& context) {
  const ApiClient::Request request{
      "PUT", kLinksPath, {{"site_id", options.site}, {"name", options.name}}, true, true, {}, {}};
  return run_change(
      request, {"url"}, [](const nlohmann::ordered_json& link) { return link.value("url", ""); },
      context);
}

Outcome<ExitCode> list_links(const LinkOptions& options, Context& context) {
  const auto links =
      read_pages(std::string(kLinksPath) + "?site_id=" + percent_encode(options.site),
                 "shared_links", context);
  if (!links) return tl::unexpected(links.error());
  return print_list(*links, "shared_links", {"name", "url"}, context);
}

Outcome<ExitCode> delete_link(const LinkOptions& options, Context& context) {
  return run_delete({"DELETE",
                     kLinksPath,
                     {{"site_id", options.site}, {"name", options.name}},
                     true,
                     true,
                     {},
                     {}},
                    options.if_exists, "the link " + options.name, context);
}

}  // namespace analytics::cli
