#include "daemon/store/sqlite/expiry.h"

#include "common/text.h"
#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {

/// Returns from when on the default removes events. It is stored as text and time: "25mo
/// 1795000000".
UnixSeconds Expiry::default_since(UnixSeconds now) {
  const auto text = to_text(default_);
  Statement select(connection_, "SELECT value FROM meta WHERE name = 'default_keep'");
  if (auto rows = select.query(); rows.next()) {
    const auto stored = rows.text(0);
    const auto space = stored.find(' ');
    const auto since = parse_int(stored.substr(space + 1));
    if (space != std::string::npos && stored.substr(0, space) == text && since) {
      return to_time(*since);
    }
  }
  const auto since = now + kBeforePurge;
  Statement note(connection_, "INSERT OR REPLACE INTO meta(name, value) VALUES('default_keep', ?)");
  note.run(text + " " + std::to_string(seconds(since)));
  return since;
}

bool Expiry::begin_due(UnixSeconds now) {
  const auto since = default_since(now);
  Statement select(connection_, std::string("SELECT ") + kSiteColumns +
                                    " FROM sites s WHERE first_event_at IS NOT NULL AND NOT EXISTS"
                                    " (SELECT 1 FROM removals r WHERE r.site = s.id)");
  bool has_begun = false;
  for (const auto& site : read_all(select.query(), read_site)) {
    if (!site.keep && now < since) continue;
    const auto from = kept_from(site, default_, now);
    if (!from || *from <= *site.first_event_at) continue;
    EventSelection expired;
    expired.site = site.id;
    expired.to = *from;
    (void)removal_.begin(expired, now);
    has_begun = true;
  }
  return has_begun;
}

}  // namespace analytics::sqlite
