#include "daemon/store/sqlite/text_sweep.h"

#include <algorithm>

namespace analytics::sqlite {
namespace {

// The columns of an event that name a text, in the order in which they are read.
constexpr std::array kColumns = {
    StringKind::kName,        StringKind::kHostname,   StringKind::kPath,
    StringKind::kReferrer,    StringKind::kUtmSource,  StringKind::kUtmMedium,
    StringKind::kUtmCampaign, StringKind::kUtmContent, StringKind::kUtmTerm,
    StringKind::kProps,       StringKind::kCurrency,   StringKind::kSource,
    StringKind::kClient,      StringKind::kPlace};

}  // namespace

TextSweep::TextSweep(Connection& connection, Dictionary& dictionary, std::int64_t rows)
    : connection_(connection),
      dictionary_(dictionary),
      rows_(rows),
      events_(connection,
              "SELECT name, hostname, path, referrer, utm_source, utm_medium, utm_campaign,"
              " utm_content, utm_term, props, revenue_currency, source, client, place"
              " FROM events WHERE id >= ? AND id < ? AND site = ?"),
      texts_(connection,
             "SELECT kind, id, hash FROM strings WHERE site = ?1 AND (kind, id) > (?2, ?3)"
             " ORDER BY kind, id LIMIT ?4"),
      remove_text_(connection, "DELETE FROM strings WHERE site = ? AND kind = ? AND id = ?") {}

void TextSweep::request(SiteId site) {
  Statement insert(connection_, "INSERT OR IGNORE INTO text_sweeps(site) VALUES(?)");
  insert.run(site);
  if (pass_ && pass_->site == site) pass_.reset();
}

std::optional<SiteId> TextSweep::next_site() {
  Statement select(connection_, "SELECT site FROM text_sweeps LIMIT 1");
  auto rows = select.query();
  return rows.next() ? std::optional(rows.int64(0)) : std::nullopt;
}

bool TextSweep::slice() {
  const auto site = next_site();
  if (!site) {
    pass_.reset();
    return false;
  }
  if (!pass_ || pass_->site != *site) {
    pass_.emplace();
    pass_->site = *site;
  }
  if (!look_at_events(rows_)) return true;
  // All events are known, those of this moment too: nobody else writes.
  if (remove_texts()) return true;
  Statement done(connection_, "DELETE FROM text_sweeps WHERE site = ?");
  done.run(*site);
  pass_.reset();
  return true;
}

/// Marks what the next events use. True when all events there are have been looked at.
bool TextSweep::look_at_events(std::int64_t rows) {
  auto& pass = *pass_;
  const auto end = pass.next + rows;
  auto events = events_.query(pass.next, end, pass.site);
  while (events.next()) {
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto id = static_cast<std::size_t>(events.int64(static_cast<int>(i)));  // NULL is 0
      auto& used = pass.used[static_cast<std::size_t>(kColumns[i])];
      if (id >= used.size()) used.resize(std::max(id + 1, 2 * used.size()));
      used[id] = true;
    }
  }
  Statement last(connection_, "SELECT coalesce(max(id), 0) FROM events");
  auto newest = last.query();
  newest.next();
  pass.next = std::min(end, newest.int64(0) + 1);
  return pass.next > newest.int64(0);
}

/// Looks at some more texts. False when there are no more.
bool TextSweep::remove_texts() {
  auto& pass = *pass_;
  struct Text {
    int kind;
    std::int64_t id;
    std::uint64_t hash;
  };
  std::vector<Text> unused;
  bool more = false;
  {
    auto texts = texts_.query(pass.site, pass.kind, pass.id, rows_);
    while (texts.next()) {
      more = true;
      pass.kind = static_cast<int>(texts.int64(0));
      pass.id = texts.int64(1);
      const auto kind = static_cast<std::size_t>(pass.kind);
      const auto id = static_cast<std::size_t>(pass.id);
      const bool is_used = kind >= kKinds || (id < pass.used[kind].size() && pass.used[kind][id]);
      if (!is_used)
        unused.push_back({pass.kind, pass.id, static_cast<std::uint64_t>(texts.int64(2))});
    }
  }
  for (const auto& [kind, id, hash] : unused) remove(kind, id, hash);
  return more;
}

void TextSweep::remove(int kind, std::int64_t id, std::uint64_t hash) {
  const auto site = pass_->site;
  remove_text_.run(site, kind, id);
  const auto as_kind = static_cast<StringKind>(kind);
  const char* parts =
      as_kind == StringKind::kClient  ? "DELETE FROM clients WHERE site = ? AND id = ?"
      : as_kind == StringKind::kPlace ? "DELETE FROM places WHERE site = ? AND id = ?"
                                      : nullptr;
  if (parts != nullptr) Statement(connection_, parts).run(site, id);
  dictionary_.forget(site, as_kind, hash);
}

}  // namespace analytics::sqlite
