#include "daemon/cluster/rows.h"

#include <array>

#include "common/text/text.h"

namespace analytics::cluster {
namespace {

using Column = NativeBlock::Column;
using store::kFirstVisitText;
using store::kJournalTexts;

constexpr std::string_view kMarkerName = "block";

template <std::size_t Own, std::size_t From>
constexpr auto with_texts(const std::array<Column, Own>& own) {
  std::array<Column, Own + kJournalTexts.size() - From> all{};
  std::size_t at = 0;
  for (const auto& column : own) all[at++] = column;
  for (auto i = From; i < kJournalTexts.size(); ++i) all[at++] = {kJournalTexts[i], "String"};
  return all;
}

constexpr auto kEventColumns = with_texts<15, 0>({{{"site", "UInt64"},
                                                   {"day", "Date"},
                                                   {"visitor", "UInt64"},
                                                   {"time", "DateTime"},
                                                   {"millis", "UInt16"},
                                                   {"node", "UInt32"},
                                                   {"id", "UInt64"},
                                                   {"visit", "UInt64"},
                                                   {"import", "UInt64"},
                                                   {"passive", "UInt8"},
                                                   {"engaged_ms", "Int32"},
                                                   {"scroll", "Int16"},
                                                   {"has_revenue", "UInt8"},
                                                   {"revenue_micros", "Int64"},
                                                   {"key_hash", "String"}}});
constexpr auto kVisitColumns = with_texts<17, kFirstVisitText>({{{"site", "UInt64"},
                                                                 {"born", "Date"},
                                                                 {"node", "UInt32"},
                                                                 {"visit", "UInt64"},
                                                                 {"version", "UInt64"},
                                                                 {"gone", "UInt8"},
                                                                 {"started", "Int64"},
                                                                 {"ended", "Int64"},
                                                                 {"visitor", "UInt64"},
                                                                 {"pageviews", "UInt32"},
                                                                 {"events", "UInt32"},
                                                                 {"interactive", "UInt8"},
                                                                 {"named", "UInt8"},
                                                                 {"entry_page", "String"},
                                                                 {"entry_hostname", "String"},
                                                                 {"exit_page", "String"},
                                                                 {"exit_hostname", "String"}}});
constexpr std::array<Column, 6> kMoveColumns = {{{"site", "UInt64"},
                                                 {"node", "UInt32"},
                                                 {"visit", "UInt64"},
                                                 {"event", "UInt64"},
                                                 {"winner", "UInt64"},
                                                 {"version", "UInt64"}}};

constexpr std::array<Column, 6> kSiteColumns = {{{"node", "UInt32"},
                                                 {"site", "UInt64"},
                                                 {"domain", "String"},
                                                 {"version", "UInt64"},
                                                 {"first_event", "Int64"},
                                                 {"last_event", "Int64"}}};
constexpr std::array<Column, 6> kDropColumns = {{{"site", "UInt64"},
                                                 {"hour", "DateTime"},
                                                 {"node", "UInt32"},
                                                 {"reason", "String"},
                                                 {"count", "UInt64"},
                                                 {"version", "UInt64"}}};
constexpr std::array<Column, 5> kLateEventColumns = {{{"site", "UInt64"},
                                                      {"day", "Date"},
                                                      {"node", "UInt32"},
                                                      {"events", "UInt64"},
                                                      {"version", "UInt64"}}};
constexpr std::array<Column, 4> kRemovalColumns = {
    {{"site", "UInt64"}, {"node", "UInt32"}, {"running", "UInt8"}, {"version", "UInt64"}}};

constexpr std::array<Column, 9> kMarkColumns = {{{"node", "UInt32"},
                                                 {"version", "UInt64"},
                                                 {"name", "String"},
                                                 {"cluster", "String"},
                                                 {"event", "UInt64"},
                                                 {"up_to", "Int64"},
                                                 {"looked_since", "UInt64"},
                                                 {"has_left", "UInt8"},
                                                 {"removed_to", "UInt64"}}};

constexpr auto u64(std::int64_t value) { return static_cast<std::uint64_t>(value); }
constexpr auto u32(std::int64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint8_t flag(bool value) { return value ? 1 : 0; }
std::uint16_t day_number(Days day) {
  return static_cast<std::uint16_t>(day.time_since_epoch().count());
}
std::int64_t count_of(UnixMillis time) { return time.time_since_epoch().count(); }

}  // namespace

NodeNumber node_number(const store::JournalId& journal) {
  NodeNumber number = 0;
  for (std::size_t i = 0; i < sizeof(number); ++i) number = number << 8 | journal[i];
  return number;
}

std::span<const Column> event_columns() { return kEventColumns; }
std::span<const Column> visit_columns() { return kVisitColumns; }
std::span<const Column> move_columns() { return kMoveColumns; }
std::span<const Column> site_columns() { return kSiteColumns; }
std::span<const Column> drop_columns() { return kDropColumns; }
std::span<const Column> late_event_columns() { return kLateEventColumns; }
std::span<const Column> removal_columns() { return kRemovalColumns; }
std::span<const Column> mark_columns() { return kMarkColumns; }

void add_row(NativeBlock& to, const store::JournalEvent& event, NodeNumber node) {
  const auto time = std::chrono::floor<std::chrono::seconds>(event.time);
  const bool has_revenue = !event.texts[store::kCurrencyText].empty();
  to << u64(event.site) << day_number(std::chrono::floor<std::chrono::days>(time)) << event.visitor
     << u32(time.time_since_epoch().count())
     << static_cast<std::uint16_t>((event.time - time).count()) << node << u64(event.id)
     << u64(event.visit) << u64(event.import) << flag(event.is_passive)
     << event.engagement.millis.value_or(-1)
     << static_cast<std::int16_t>(event.engagement.scroll_depth.value_or(-1)) << flag(has_revenue)
     << event.revenue_micros << event.key_hash;
  for (const auto text : event.texts) to << text;
}

void add_row(NativeBlock& to, const store::JournalVisit& visit, NodeNumber node) {
  to << u64(visit.site) << day_number(visit.born) << node << u64(visit.id) << visit.version
     << flag(visit.is_gone) << count_of(visit.started) << count_of(visit.ended) << visit.visitor
     << u32(visit.pageviews) << u32(visit.events) << flag(visit.is_interactive)
     << flag(visit.is_named) << visit.entry_page << visit.entry_hostname << visit.exit_page
     << visit.exit_hostname;
  for (const auto text : visit.texts) to << text;
}

void add_row(NativeBlock& to, const store::JournalMove& move, NodeNumber node) {
  to << u64(move.site) << node << u64(move.visit) << u64(move.event) << u64(move.winner)
     << move.version;
}

void add_row(NativeBlock& to, const store::JournalSite& site, NodeNumber node,
             std::uint64_t version) {
  const auto seconds = [](std::optional<UnixSeconds> time) {
    return time ? std::int64_t{time->time_since_epoch().count()} : 0;
  };
  to << node << u64(site.id) << std::string_view(site.domain) << version
     << seconds(site.first_event) << seconds(site.last_event);
}

void add_row(NativeBlock& to, const store::OutcomeCount& drops, NodeNumber node,
             std::uint64_t version) {
  to << u64(drops.site) << u32(drops.hour.time_since_epoch().count()) << node
     << outcome_name(drops.outcome) << u64(drops.count) << version;
}

void add_row(NativeBlock& to, const store::LateDay& late, NodeNumber node, std::uint64_t version) {
  to << u64(late.site) << day_number(late.day) << node << u64(late.events) << version;
}

void add_row(NativeBlock& to, const SiteRemoval& removal, NodeNumber node, std::uint64_t version) {
  to << u64(removal.site) << node << flag(removal.is_running) << version;
}

void add_marker(NativeBlock& to, const store::JournalBlock& block,
                const store::JournalId& journal) {
  const auto count = to.rows();
  const auto id = to_hex(journal);
  to << std::uint64_t{0} << day_number(block.month) << block.number << std::uint32_t{0}
     << std::uint16_t{0} << node_number(journal) << u64(block.first) << u64(block.last)
     << std::uint64_t{count} << std::uint8_t{0} << std::int32_t{-1} << std::int16_t{-1}
     << std::uint8_t{0} << std::int64_t{0} << std::string_view();
  for (const auto name : kJournalTexts) {
    to << (name == "name" ? kMarkerName : name == "props" ? std::string_view(id) : "");
  }
}

}  // namespace analytics::cluster
