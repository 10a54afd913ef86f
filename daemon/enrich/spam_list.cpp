#include "daemon/enrich/spam_list.h"

#include "common/io/fs.h"
#include "common/text/text.h"
#include "daemon/enrich/referrer.h"

namespace analytics {

Result<SpamList> SpamList::load(const std::filesystem::path& file) {
  const auto text = TRY(read_file(file));
  SpamList list;
  int number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    const auto host = trim(line.substr(0, line.find('#')));
    if (host.empty()) continue;
    if (host.find_first_of(" \t/:") != std::string_view::npos || has_control(host)) {
      return fail(ErrorCode::kInvalidParameter,
                  file.string() + ":" + std::to_string(number) + ": is not a host");
    }
    list.hosts_.insert(shown_hostname(host));
  }
  return list;
}

bool SpamList::contains(std::string_view referrer) const {
  if (hosts_.empty()) return false;
  std::string host = ascii_lower(referrer.substr(0, referrer.find('/')));
  for (std::string_view rest = host; !rest.empty();) {
    if (hosts_.contains(std::string(rest))) return true;
    const auto dot = rest.find('.');
    if (dot == std::string_view::npos) return false;
    rest.remove_prefix(dot + 1);
  }
  return false;
}

}  // namespace analytics
