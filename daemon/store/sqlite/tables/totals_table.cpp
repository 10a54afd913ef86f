#include "daemon/store/sqlite/tables/totals_table.h"

#include "daemon/parts/bytes.h"
#include "daemon/parts/packed.h"
#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

constexpr int kBatchMaking = 0;
constexpr int kBatchLive = 1;
constexpr int kBatchLeaving = 2;
// rows of daily totals read or deleted at once, each up to tens of kilobytes
constexpr std::int64_t kTotalsOfSlice = 30;

/// Returns the number of the day as the checksum of the day's totals includes it.
std::uint32_t place_of(Days day) { return static_cast<std::uint32_t>(number_of(day)); }

std::vector<totals::ValueSums> read(const Rows& row, int data, SiteId site, Days day,
                                    std::string_view name) {
  return totals::from_bytes(parts::verified(text_of(row.blob(data)), site, place_of(day)),
                            name.starts_with(totals::kOverlap));
}

/// Returns the kind of the texts that stand for a dimension's values. `name`: the stored name of
/// the dimension.
StringKind kind_of_stored(std::string_view name) {
  if (name.starts_with(totals::kOverlap)) name.remove_prefix(totals::kOverlap.size());
  const auto dimension = parse_dimension(name);
  return dimension ? kind_of_totals(dimension->field) : StringKind::kTotal;
}

}  // namespace

StringKind kind_of_totals(Field field) {
  switch (field) {
    case Field::kName:
    case Field::kPage:
    case Field::kHostname:
    case Field::kSource:
    case Field::kReferrer:
    case Field::kUtmSource:
    case Field::kUtmMedium:
    case Field::kUtmCampaign:
    case Field::kUtmContent:
    case Field::kUtmTerm:
    case Field::kEntryPage:
    case Field::kExitPage:
    case Field::kEntryHostname:
    case Field::kExitHostname: return field_of(query::column_of(field)).kind;
    default: return StringKind::kTotal;
  }
}

TotalsTable::TotalsTable(Connection& connection) : connection_(connection) { discard_all(); }

void TotalsTable::discard_all() {
  Statement set(connection_, "UPDATE total_batches SET state = ? WHERE state = ?");
  set.run(kBatchLeaving, kBatchMaking);
}

TotalsBatch TotalsTable::begin(SiteId site, Days first) {
  discard_all();
  Statement insert(connection_,
                   "INSERT INTO total_batches(site, state, first_day) VALUES(?, ?, ?)");
  insert.run(site, kBatchMaking, number_of(first));
  return connection_.last_insert_id();
}

TotalsBatch TotalsTable::begin_imported(SiteId site, ImportId import, Days first) {
  Statement insert(connection_,
                   "INSERT INTO total_batches(site, state, first_day, import) VALUES(?, ?, ?, ?)");
  insert.run(site, kBatchLive, number_of(first), import);
  return connection_.last_insert_id();
}

bool TotalsTable::is_making(TotalsBatch batch) {
  Statement select(connection_, "SELECT 1 FROM total_batches WHERE id = ? AND state = ?");
  return select.query(batch, kBatchMaking).next();
}

void TotalsTable::add(TotalsBatch batch, SiteId site, const std::string& dimension, Days day,
                      const std::vector<totals::ValueSums>& values) {
  Statement insert(connection_,
                   "INSERT INTO daily_totals(batch, site, dimension, day, data)"
                   " VALUES(?, ?, ?, ?, ?)");
  const auto bytes = parts::with_checksum(totals::to_bytes(values), site, place_of(day));
  insert.run(batch, site, dimension, number_of(day), bytes_of(bytes));
}

void TotalsTable::set_state(TotalsBatch batch, int state) {
  Statement set(connection_, "UPDATE total_batches SET state = ? WHERE id = ?");
  set.run(state, batch);
}

void TotalsTable::finish(TotalsBatch batch) { set_state(batch, kBatchLive); }

void TotalsTable::discard(TotalsBatch batch) { set_state(batch, kBatchLeaving); }

void TotalsTable::discard_site(Connection& connection, SiteId site) {
  Statement set(connection, "UPDATE total_batches SET state = ? WHERE site = ? AND state = ?");
  set.run(kBatchLeaving, site, kBatchMaking);
}

void TotalsTable::drop_kept(SiteId site) {
  Statement set(connection_, "UPDATE total_batches SET state = ? WHERE site = ? AND import = 0");
  set.run(kBatchLeaving, site);
}

void TotalsTable::drop_import(Connection& connection, ImportId import) {
  Statement set(connection,
                "UPDATE total_batches SET state = ?1 WHERE import = ?2 AND site IN"
                " (SELECT site FROM imports WHERE id = ?2)");
  set.run(kBatchLeaving, import);
}

void TotalsTable::drop(SiteId site) {
  Statement set(connection_, "UPDATE total_batches SET state = ? WHERE site = ?");
  set.run(kBatchLeaving, site);
}

std::optional<SiteId> TotalsTable::next_leaving() {
  Statement select(connection_, "SELECT site FROM total_batches WHERE state = ? LIMIT 1");
  auto rows = select.query(kBatchLeaving);
  return rows.next() ? std::optional(rows.int64(0)) : std::nullopt;
}

void TotalsTable::remove_some(SiteId site) {
  Statement rows(
      connection_,
      "DELETE FROM daily_totals WHERE id IN (SELECT t.id FROM total_batches b"
      " JOIN daily_totals t ON t.batch = b.id WHERE b.site = ? AND b.state = ? LIMIT ?)");
  rows.run(site, kBatchLeaving, kTotalsOfSlice);
  if (connection_.changes() > 0) return;
  Statement batches(connection_, "DELETE FROM total_batches WHERE site = ? AND state = ?");
  batches.run(site, kBatchLeaving);
}

std::optional<std::int64_t> TotalsTable::each_row(SiteId site, std::int64_t after, const Use& use) {
  Statement select(connection_,
                   "SELECT id, day, data, dimension FROM daily_totals WHERE site = ? AND id > ?"
                   " ORDER BY id LIMIT ?");
  std::optional<std::int64_t> last;
  for (auto rows = select.query(site, after, kTotalsOfSlice); rows.next();) {
    last = rows.int64(0);
    const auto name = rows.text(3);
    use(kind_of_stored(name), read(rows, 2, site, to_day(rows.int64(1)), name));
  }
  return last;
}

void each_day(Connection& connection, SiteId site, std::string_view dimension, const DaySpan& days,
              const WantsTotals& wants, const UseTotals& use) {
  Statement select(
      connection,
      "SELECT t.day, b.import, t.data FROM daily_totals t JOIN total_batches b ON b.id = t.batch"
      " WHERE t.site = ? AND t.dimension = ? AND t.day BETWEEN ? AND ?"
      " AND b.state = ? ORDER BY t.day");
  for (auto rows =
           select.query(site, dimension, number_of(days.first), number_of(days.last), kBatchLive);
       rows.next();) {
    const auto day = to_day(rows.int64(0));
    const ImportId import = rows.int64(1);
    if (wants(day, import)) use(day, import, read(rows, 2, site, day, dimension));
  }
}

void each_damaged(Connection& connection, const std::function<void(SiteId, Days)>& found) {
  Statement select(connection, "SELECT site, day, data, dimension FROM daily_totals ORDER BY id");
  for (auto rows = select.query(); rows.next();) {
    const auto day = to_day(rows.int64(1));
    try {
      (void)read(rows, 2, rows.int64(0), day, rows.text(3));
    } catch (const parts::Damaged&) {
      found(rows.int64(0), day);
    }
  }
}

bool has_imported_totals(Connection& connection, SiteId site) {
  Statement select(
      connection,
      "SELECT 1 FROM total_batches WHERE site = ? AND state = ? AND import <> 0 LIMIT 1");
  return select.query(site, kBatchLive).next();
}

std::map<Days, ImportId> days_with_totals(Connection& connection, SiteId site,
                                          std::string_view dimension, const DaySpan& days,
                                          TotalsOrigin origin) {
  Statement select(connection,
                   "SELECT t.day, max(b.import) FROM daily_totals t JOIN total_batches b"
                   " ON b.id = t.batch WHERE t.site = ? AND t.dimension = ?"
                   " AND t.day BETWEEN ? AND ? AND b.state = ? AND (b.import <> 0) = ?"
                   " GROUP BY t.day");
  std::map<Days, ImportId> found;
  for (auto rows = select.query(site, dimension, number_of(days.first), number_of(days.last),
                                kBatchLive, origin == TotalsOrigin::kImport ? 1 : 0);
       rows.next();) {
    found.emplace(to_day(rows.int64(0)), rows.int64(1));
  }
  return found;
}

}  // namespace analytics::sqlite
