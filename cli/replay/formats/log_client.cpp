#include "cli/replay/formats/log_client.h"

#include "common/text/address.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

/// Returns an element of a list of addresses without the spaces around it, which W3C logs write as
/// `+`.
std::string_view bare(std::string_view text) {
  text = trim(text);
  while (text.starts_with('+')) text.remove_prefix(1);
  return text;
}

bool has_public_address(std::string_view text) {
  const auto address = parse_address(text);
  return address && is_public(*address);
}

}  // namespace

std::string_view without_port(std::string_view host) {
  const auto colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && parse_int(host.substr(colon + 1));
  return has_port ? host.substr(0, colon) : host;
}

std::string_view without_client_port(std::string_view text) {
  const auto address = without_port(text);
  return parse_address(address) ? address : text;
}

std::string_view client_of_list(std::string_view list) {
  std::string_view first;
  for (const auto part : split(list, ',')) {
    const auto text = bare(part);
    if (has_public_address(text)) return text;
    if (first.empty() && parse_address(text)) first = text;
  }
  return first;
}

LogClient find_log_client(std::string_view client, std::string_view forwarded) {
  const auto direct = client_of_list(client);
  if (has_public_address(direct)) return {std::string(direct), {}};
  const auto claimed = client_of_list(forwarded);
  if (has_public_address(claimed)) return {std::string(claimed), {}};
  if (!direct.empty()) return {std::string(direct), {}};
  const auto name = trim(client);
  const bool is_name = !name.empty() && name != "-" && name.find(',') == std::string_view::npos;
  if (is_name) return {{}, std::string(name)};
  return {std::string(claimed), {}};
}

}  // namespace analytics::cli
