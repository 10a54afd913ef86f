#include "daemon/cluster/reading/selected_events.h"

#include <algorithm>
#include <array>

#include "common/json/json.h"
#include "daemon/cluster/reading/conditions.h"
#include "daemon/cluster/reading/stored_columns.h"
#include "daemon/cluster/sql.h"
#include "daemon/model/wildcard.h"
#include "daemon/store/journal_rows.h"

namespace analytics::cluster {
namespace {

using store::kJournalTexts;
using Type = NativeReader::Type;

// Index of the first text column for What::kNumber.
constexpr std::size_t kFirstOfNumber = kOfVisitor;

std::vector<AskedColumn> asked_columns_of(SelectedEvents::What what) {
  if (what == SelectedEvents::What::kNumber) {
    auto asked = VisitMoves::event_columns();
    for (const auto* text : {"path", "props", "source"}) asked.push_back({text, Type::kString});
    return asked;
  }
  auto asked = event_numbers();
  for (const auto text : kJournalTexts) asked.push_back({std::string(text), Type::kString});
  return asked;
}

query::ColumnSet columns_of_visits(const EventSelection& selection) {
  query::ColumnSet columns;
  if (selection.source) columns.add(query::Column::kSource);
  return columns;
}

/// A permutation of 64-bit numbers whose results look random: the finalizer of SplitMix64
/// (https://prng.di.unimi.it/splitmix64.c).
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

LastingId lasting_id(NodeNumber node, std::uint64_t event, UnixMillis time) {
  return {time, mixed(mixed(node) + event)};
}

std::string condition_of(const EventSelection& selection, const Marks& marks, NodeNumber own) {
  auto sql = events_of(selection.site, {selection.from, selection.to}, marks);
  if (selection.import != 0) {
    sql += " AND import = " + std::to_string(selection.import) + " AND " + of_node(own);
  }
  if (selection.visitor_of) {
    const auto day = std::chrono::floor<std::chrono::days>(selection.visitor_of->time);
    sql += " AND day = " + sql_day(day) +
           " AND visitor = " + std::to_string(selection.visitor.value_or(0));
  }
  return sql;
}

SelectedEvents::SelectedEvents(const ReadAccess& access, const Marks& marks,
                               const EventSelection& selection, NodeKeys& keys,
                               const VisitMoves& moves, What what, const std::string& where)
    : selection_(selection),
      keys_(keys),
      moves_(moves),
      texts_(access.budget),
      visits_(access, marks, selection.site, columns_of_visits(selection), texts_, keys),
      path_(what == What::kAll ? kFirstText + place_of_text("path") : kFirstOfNumber),
      props_(what == What::kAll ? kFirstText + place_of_text("props") : kFirstOfNumber + 1),
      source_(what == What::kAll ? kFirstText + place_of_text("source") : kFirstOfNumber + 2),
      rows_(access, asked_columns_of(what), "FROM events WHERE " + where) {}

bool SelectedEvents::next() {
  if (!rows_.next()) return false;
  moves_.find(rows_.block(), of_block_);
  if (selection_.source) visits_.require(of_block_);
  return true;
}

bool SelectedEvents::matches(std::size_t row) {
  const auto& block = rows_.block();
  if (selection_.page) {
    const auto path = block.text(path_, row);
    const auto [known, is_new] = known_paths_.try_emplace(std::string(path), false);
    if (is_new) known->second = wildcard_matches(*selection_.page, path);
    if (!known->second) return false;
  }
  if (selection_.prop && !has_prop(block.text(props_, row))) return false;
  if (!selection_.source) return true;
  const auto* values = visits_.required(row);
  // If an event has no visit, its own source counts, as in a store without a cluster.
  if (values == nullptr) return block.text(source_, row) == *selection_.source;
  return texts_.text(query::Column::kSource, values[0]) == *selection_.source;
}

bool SelectedEvents::has_prop(std::string_view props) const {
  if (props.empty()) return false;
  const auto object = json::parse_object(std::string(props));
  if (!object) return false;
  const auto& prop = *selection_.prop;
  return std::any_of(object->members.begin(), object->members.end(), [&](const auto& member) {
    return member.key == prop.key && (!prop.value || member.value.text == *prop.value);
  });
}

std::int64_t SelectedEvents::count() {
  std::int64_t found = 0;
  for (std::size_t row = 0; row < rows(); ++row) found += matches(row) ? 1 : 0;
  return found;
}

void SelectedEvents::find(std::vector<Found>& to) {
  for (std::size_t row = 0; row < rows(); ++row) {
    if (!matches(row)) continue;
    to.push_back({static_cast<NodeNumber>(number(kOfNode, row)),
                  static_cast<std::uint64_t>(number(kOfEvent, row)), of_block_[row]});
  }
}

void SelectedEvents::read(std::vector<store::RecordedEvent>& to) {
  for (std::size_t row = 0; row < rows(); ++row) {
    if (matches(row)) to.push_back(describe(row));
  }
}

SelectedEvents::Place SelectedEvents::last() const {
  const auto row = rows() - 1;
  return {static_cast<std::uint64_t>(number(kOfVisitor, row)), number(kOfTime, row),
          static_cast<NodeNumber>(number(kOfNode, row)),
          static_cast<std::uint64_t>(number(kOfEvent, row))};
}

store::RecordedEvent SelectedEvents::describe(std::size_t row) const {
  const auto text = [&](std::string_view name) {
    return std::string(rows_.block().text(kFirstText + place_of_text(name), row));
  };
  const auto engagement = [&](std::size_t column) {
    const auto value = number(column, row);
    return value < 0 ? std::nullopt : std::optional(static_cast<std::int32_t>(value));
  };
  store::RecordedEvent event;
  event.time = UnixMillis(std::chrono::seconds(number(kOfTime, row))) +
               std::chrono::milliseconds(number(kOfMillis, row));
  event.id = lasting_id(static_cast<NodeNumber>(number(kOfNode, row)),
                        static_cast<std::uint64_t>(number(kOfEvent, row)), event.time);
  event.visitor = static_cast<std::uint64_t>(number(kOfVisitor, row));
  if (of_block_[row] != 0) event.visit = of_block_[row];
  event.name = text("name");
  event.hostname = text("hostname");
  event.path = text("path");
  event.props = text("props");
  event.referrer = text("referrer");
  event.source = text("source");
  event.channel = parse_channel(text("channel"));
  for (std::size_t tag = 0; tag < kUtmTags; ++tag) event.utm[tag] = text(kUtmNames[tag]);
  Client client;
  for (const auto& part : kClientParts) client.*part.text = text(part.name);
  event.client = std::move(client);
  analytics::Place place;
  for (const auto& part : kPlaceParts) place.*part.text = text(part.name);
  event.place = std::move(place);
  event.screen = parse_screen(text("screen")).value_or(ScreenClass::kUnknown);
  event.language = parse_language(text("language"));
  event.interactive = number(kOfPassive, row) == 0;
  event.engagement = {engagement(kOfEngaged), engagement(kOfScroll)};
  if (auto currency = text("revenue_currency"); !currency.empty()) {
    event.revenue = Revenue{number(kOfMicros, row), std::move(currency)};
  }
  return event;
}

}  // namespace analytics::cluster
