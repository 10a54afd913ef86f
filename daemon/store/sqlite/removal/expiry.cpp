#include "daemon/store/sqlite/removal/expiry.h"

#include "common/text/text.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::chrono::hours kBeforeTotals{1};

}  // namespace

/// Reads the default retention from the table meta, which contains it with the time from which it
/// is in force, in Unix seconds, such as "25mo 1795000000".
std::optional<DefaultKeep> noted_default(Connection& connection) {
  Statement select(connection, "SELECT value FROM meta WHERE name = 'default_keep'");
  auto rows = select.query();
  if (!rows.next()) return std::nullopt;
  const auto stored = rows.text(0);
  const auto space = stored.find(' ');
  if (space == std::string::npos) return std::nullopt;
  const auto keep = parse_retention(stored.substr(0, space));
  const auto since = parse_int(stored.substr(space + 1));
  if (!keep || !since) return std::nullopt;
  return DefaultKeep{*keep, to_time(*since)};
}

/// Returns the time from which the default retention removes events. If the default is new,
/// records it with that time.
UnixSeconds Expiry::default_since(UnixSeconds now) {
  const auto noted = noted_default(connection_);
  if (noted && noted->keep == default_) return noted->since;
  const auto since = now + kBeforePurge;
  Statement note(connection_, "INSERT OR REPLACE INTO meta(name, value) VALUES('default_keep', ?)");
  note.run(to_text(default_) + " " + std::to_string(seconds(since)));
  return since;
}

bool Expiry::begin_due(UnixSeconds now) {
  const auto since = default_since(now);
  Statement select(connection_, std::string("SELECT ") + kSiteColumns +
                                    " FROM sites WHERE NOT EXISTS"
                                    " (SELECT 1 FROM removals r WHERE r.site = sites.id)"
                                    // Skip sites with a text sweep, which would remove texts of
                                    // totals that are not stored yet.
                                    " AND NOT EXISTS (SELECT 1 FROM text_sweeps w"
                                    " WHERE w.site = sites.id)");
  bool has_begun = false;
  for (const auto& site : read_all(select.query(), read_site)) {
    if (begin_site(site, now, since)) has_begun = true;
  }
  return has_begun;
}

bool Expiry::begin_site(const Site& site, UnixSeconds now, UnixSeconds default_since) {
  if (site.totals_from && !site.keep_totals && now >= site.keep_at) {
    totals_.drop_kept(site.id);
    return true;
  }
  if (!site.first_event_at || (!site.keep && now < default_since)) return false;
  const auto from = site.keep_totals ? totals_until(site, now) : kept_from(site, default_, now);
  if (!from || *from <= *site.first_event_at) return false;
  if (site.keep_totals) {
    if (!making_.may_choose()) return false;
    making_.choose(site, *from);
    return true;
  }
  begin_removal(site.id, *from, now, 0);
  return true;
}

/// Returns the time before which totals may replace events; nullopt if they must replace none.
/// Events from before this time have been refused on arrival for an hour, so that none can still be
/// on its way to the writer.
std::optional<UnixSeconds> Expiry::totals_until(const Site& site, UnixSeconds now) const {
  return kept_from(site, default_, now - kBeforeTotals);
}

bool Expiry::keeps_totals_before(const Site& site, UnixSeconds until, UnixSeconds now) const {
  const auto from = totals_until(site, now);
  return site.keep_totals && from && until <= *from;
}

void Expiry::replace(const TotalsMaking::Made& made, UnixSeconds now) {
  begin_removal(made.site, made.until, now, made.batch);
}

void Expiry::begin_removal(SiteId site, UnixSeconds until, UnixSeconds now, TotalsBatch totals) {
  EventSelection expired;
  expired.site = site;
  expired.to = until;
  (void)removal_.begin(expired, now, totals);
}

}  // namespace analytics::sqlite
