#include "cli/replay/formats/personal_key.h"

#include <algorithm>

#include "common/text/personal_data.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

/// Parts of property keys, and whole keys, that suggest that the value identifies a person; in
/// lower case and without `_` and `-`.
constexpr std::string_view kPersonalParts[] = {
    "email",    "mail",       "phone",       "userid",     "username",  "fullname", "firstname",
    "lastname", "customerid", "anonymousid", "distinctid", "ipaddress", "clientip", "surname"};
constexpr std::string_view kPersonalKeys[] = {"user", "traits", "tel", "ip", "address", "login"};

}  // namespace

bool is_personal_key(std::string_view key) {
  auto plain = ascii_lower(key);
  const auto outer = plain.substr(0, plain.find_first_of(".["));  // "user" in "user[name]"
  constexpr std::string_view kSigns = "_- $.[]";
  std::erase_if(plain, [&](char c) { return kSigns.find(c) != std::string_view::npos; });
  const auto has_part = [&](std::string_view part) { return plain.find(part) != plain.npos; };
  const auto is_known = [](std::string_view name) {
    return std::find(std::begin(kPersonalKeys), std::end(kPersonalKeys), name) !=
           std::end(kPersonalKeys);
  };
  return std::any_of(std::begin(kPersonalParts), std::end(kPersonalParts), has_part) ||
         is_known(plain) || is_known(outer) || has_email(key);
}

}  // namespace analytics::cli
