#include "daemon/store/sqlite/removal/text_sweep.h"

#include <algorithm>

#include "daemon/parts/cold_columns.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kTotals = kEventFields.size();

/// Returns the index in Pass::used of a kind of texts; nullopt for a kind from a newer version.
std::optional<std::size_t> place_of(StringKind kind) {
  if (kind == StringKind::kTotal) return kTotals;
  const auto* field = find_field(kind);
  if (field == nullptr) return std::nullopt;
  return static_cast<std::size_t>(field - kEventFields.data());
}

}  // namespace

void TextSweep::request(SiteId site) {
  Statement insert(connection_, "INSERT OR IGNORE INTO text_sweeps(site) VALUES(?)");
  insert.run(site);
  if (pass_ && pass_->site == site) pass_.reset();
  later_.erase(site);
}

void TextSweep::request_later(SiteId site) {
  request(site);
  later_.insert(site);
}

void TextSweep::forget(SiteId site) {
  Statement done(connection_, "DELETE FROM text_sweeps WHERE site = ?");
  done.run(site);
}

std::optional<SiteId> TextSweep::next_site() {
  Statement select(connection_, "SELECT site FROM text_sweeps");
  auto rows = select.query();
  while (rows.next()) {
    if (!later_.contains(rows.int64(0))) return rows.int64(0);
  }
  return std::nullopt;
}

bool TextSweep::is_due() {
  if (next_site()) return true;
  pass_.reset();
  return false;
}

bool TextSweep::slice() {
  const auto site = next_site();
  if (!site) return false;
  if (!pass_ || pass_->site != *site) {
    const TimeRange all{UnixSeconds::min(), UnixSeconds::max()};
    pass_.emplace(
        Pass{*site, RowWalk(connection_, *site, all, tables_.events.newest()), 0, 0, {}, {}});
  }
  if (!look_at_events() || look_at_parts() || look_at_totals()) return true;
  // All events have been read, even the newest, because only this thread adds events.
  if (remove_texts()) return true;
  forget(*site);
  pass_.reset();
  return true;
}

/// Marks the texts that the next events use. Returns true when all events have been read.
bool TextSweep::look_at_events() {
  return pass_->rows.walk_some(tables_.events.newest(), rows_, [this](const EventRange& range) {
    tables_.events.each_numbers(range, [this](const FieldNumbers& numbers) {
      for (std::size_t i = 0; i < numbers.size(); ++i) use(i, numbers[i].value_or(0));
    });
  });
}

void TextSweep::use(std::size_t field, std::int64_t number) {
  const auto id = static_cast<std::size_t>(number);
  auto& used = pass_->used[field];
  if (id >= used.size()) {
    if (id > most_of(field)) return;  // a damaged id, which belongs to no text
    used.resize(std::max(id + 1, 2 * used.size()));
  }
  used[id] = true;
}

/// Returns the highest id of any text of the field at the site.
std::size_t TextSweep::most_of(std::size_t field) {
  const auto kind = field == kTotals ? StringKind::kTotal : kEventFields[field].kind;
  return static_cast<std::size_t>(tables_.strings.last(pass_->site, kind));
}

/// Marks the texts that the next sealed part uses. Returns false when there are no more parts.
bool TextSweep::look_at_parts() {
  auto& pass = *pass_;
  const auto part = tables_.parts.next_sealed(pass.site, pass.part);
  if (!part) return false;
  pass.part = *part;
  const auto fetch = [&](std::uint32_t column) { return read_column(connection_, *part, column); };
  const auto head = parts::PartHead::read(fetch(parts::kHeadId));
  parts::each_number(head, fetch, [&](query::Column column, std::int64_t number) {
    if (is_value(query::kOwnColumns[query::own_place(column)].kind)) return;
    const auto& field = field_of(column);
    use(static_cast<std::size_t>(&field - kEventFields.data()), number);
  });
  return true;
}

/// Marks the texts that some more daily totals use. Returns false when there are no more totals.
bool TextSweep::look_at_totals() {
  auto& pass = *pass_;
  const auto last =
      tables_.totals.each_row(pass.site, pass.totals, [this](StringKind kind, const auto& values) {
        const auto field = *place_of(kind);
        for (const auto& each : values) use(field, each.value);
      });
  if (last) pass.totals = *last;
  return last.has_value();
}

/// Removes the unused texts among the next texts. Returns false when there are no more texts.
bool TextSweep::remove_texts() {
  auto& pass = *pass_;
  const auto texts = tables_.strings.page(pass.site, pass.looked, rows_);
  if (texts.empty()) return false;
  pass.looked = texts.back();
  for (const auto& text : texts) {
    const auto field = place_of(text.kind);
    if (!field) continue;
    const auto& used = pass.used[*field];
    const auto id = static_cast<std::size_t>(text.id);
    if (id >= used.size() || !used[id]) tables_.dictionary.remove(pass.site, text);
  }
  return true;
}

}  // namespace analytics::sqlite
