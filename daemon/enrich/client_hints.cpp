#include "daemon/enrich/client_hints.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "common/text/text.h"
#include "common/wire/frozen_version.h"
#include "daemon/enrich/device_class.h"

namespace analytics {
namespace {

/// Returns the text of an RFC 9651 string without its quotes, which some clients leave out.
std::string_view text_of(std::string_view field) {
  field = trim(field);
  const bool is_quoted = field.size() >= 2 && field.front() == '"' && field.back() == '"';
  return is_quoted ? field.substr(1, field.size() - 2) : field;
}

/// Returns a part of a version, such as "14" and "5" of "14.5.0"; nullopt if the version has fewer
/// parts.
std::optional<std::int64_t> part_of(std::string_view version, std::size_t place) {
  const auto parts = split(version, '.');
  return place < parts.size() ? parse_int(parts[place]) : std::nullopt;
}

/// Returns the system's version for statistics. `frozen`: the version that all User-Agents of the
/// system have. `hinted`: the platform version in the hints.
std::string version_of(const FrozenVersion& frozen, std::string_view hinted) {
  constexpr std::int64_t kWindows11 = 13;  // first platform version of Windows 11
  const auto major = part_of(hinted, 0);
  if (!major || *major < 1) return std::string(frozen.version);
  if (frozen.os == "Windows") return *major >= kWindows11 ? "11" : "10";
  const auto minor = part_of(hinted, 1).value_or(0);
  const bool has_minor = minor > 0 || frozen.os == "Mac";
  return std::to_string(*major) + (has_minor ? "." + std::to_string(minor) : "");
}

/// Returns the system's version from the hints; nullopt if they are not more exact than the
/// User-Agent.
std::optional<std::string> system_version(const Client& client, const ClientHints& hints) {
  if (hints.platform_version.empty()) return std::nullopt;
  const auto* frozen = frozen_version(client.os, client.os_version);
  if (frozen == nullptr || text_of(hints.platform) != frozen->platform) return std::nullopt;
  auto version = version_of(*frozen, text_of(hints.platform_version));
  return version == client.os_version ? std::nullopt : std::optional(std::move(version));
}

/// A browser that may send Chrome's User-Agent: its brand in Sec-CH-UA and its name in statistics.
struct Brand {
  std::string_view quoted;
  std::string_view browser;
};
constexpr Brand kBrands[] = {{"\"Brave\"", "Brave"},
                             {"\"Microsoft Edge\"", "Edge"},
                             {"\"Opera\"", "Opera"},
                             {"\"Opera GX\"", "Opera GX"},
                             {"\"Yandex\"", "Yandex Browser"},
                             {"\"YaBrowser\"", "Yandex Browser"},
                             {"\"Samsung Internet\"", "Samsung Internet"},
                             {"\"DuckDuckGo\"", "DuckDuckGo"},
                             {"\"Android WebView\"", "Mobile App"}};

/// Returns the brand of a browser that calls itself Chrome; null if it seems to be Chrome.
const Brand* brand_of(const Client& client, const ClientHints& hints) {
  if (client.browser != "Chrome" || hints.brands.find("\"Google Chrome\"") != hints.brands.npos) {
    return nullptr;
  }
  const auto* found = std::find_if(std::begin(kBrands), std::end(kBrands), [&](const Brand& brand) {
    return hints.brands.find(brand.quoted) != hints.brands.npos;
  });
  return found == std::end(kBrands) ? nullptr : found;
}

}  // namespace

std::optional<std::string> name_model(std::string_view user_agent, const ClientHints& hints) {
  constexpr std::string_view kFrozen = "; Android 10; K)";
  // Maximum size of the name of a model, in bytes; a longer name is ignored.
  constexpr std::size_t kMaxOfModel = 60;
  const auto model = text_of(hints.model);
  const auto at = user_agent.find(kFrozen);
  if (model.empty() || model.size() > kMaxOfModel || has_control(model) || at == user_agent.npos) {
    return std::nullopt;
  }
  const auto place = at + kFrozen.size() - 2;
  return std::string(user_agent.substr(0, place))
      .append(model)
      .append(user_agent.substr(place + 1));
}

std::optional<Client> corrected(const UserAgent& known, const ClientHints& hints) {
  auto version = system_version(known.client, hints);
  const auto* brand = brand_of(known.client, hints);
  const bool is_phone = !known.is_sure_of_device && trim(hints.mobile) == "?1" &&
                        known.client.device != device::kMobile;
  if (!version && brand == nullptr && !is_phone) return std::nullopt;
  auto client = known.client;
  if (version) client.os_version = std::move(*version);
  if (brand != nullptr) client.browser = brand->browser;
  if (is_phone) client.device = device::kMobile;
  return client;
}

}  // namespace analytics
