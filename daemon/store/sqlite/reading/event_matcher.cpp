#include "daemon/store/sqlite/reading/event_matcher.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "common/json/json.h"
#include "daemon/model/wildcard.h"

namespace analytics::sqlite {
namespace {

using query::Column;
using query::RawEvent;

VisitorDay visitor_of(const RawEvent& event) {
  return {std::chrono::floor<std::chrono::days>(event.order.first), event.visitor};
}

/// Finds the traffic source of each visit of a part: the source of the visit's first event.
class VisitSources {
 public:
  explicit VisitSources(std::span<const RawEvent> events) {
    for (const auto& event : events) {
      if (event.visit == 0 || event.role == VisitRole::kStay) continue;
      const First first{event.order, event[Column::kSource]};
      const auto [at, is_new] = first_.try_emplace(event.visit, first);
      if (!is_new && first.order < at->second.order) at->second = first;
    }
  }
  [[nodiscard]] std::uint32_t of(const RawEvent& event) const {
    const auto found = first_.find(event.visit);
    return found == first_.end() ? event[Column::kSource] : found->second.source;
  }

 private:
  struct First {
    EventOrder order;
    std::uint32_t source = 0;
  };
  std::unordered_map<VisitId, First> first_;
};

}  // namespace

LastingId lasting_id(const HashKey& key, SiteId site, const RawEvent& event) {
  // Uses only the 15 columns that the first version had, so that ids do not change when columns
  // are added.
  constexpr std::size_t kIdentifying = 15;
  std::array<std::int64_t, kIdentifying + 4> all{};
  auto at = std::copy_n(event.own.begin(), kIdentifying, all.begin());
  *at++ = site;
  *at++ = event.micros;
  *at++ = event.is_passive ? 1 : 0;
  *at = event.order.first.time_since_epoch().count();
  return {event.order.first, keyed_hash(key, all.data(), sizeof all)};
}

RowSources::RowSources(Connection& connection)
    : select_(connection,
              "SELECT f.id, coalesce(f.source, 0) FROM visits v"
              " LEFT JOIN events f ON f.id = v.first WHERE v.id = ?") {}

std::optional<std::uint32_t> RowSources::of(const RawEvent& event) {
  auto rows = select_.query(event.visit);
  if (!rows.next()) return event[Column::kSource];
  if (!rows.maybe_int64(0)) return std::nullopt;
  return static_cast<std::uint32_t>(rows.int64(1));
}

EventMatcher::EventMatcher(DictionaryReader& texts, const EventSelection& selection,
                           const HashKey& key)
    : texts_(texts), selection_(selection), key_(key) {
  if (selection.visitor_of && selection.visitor) {
    const auto day = std::chrono::floor<std::chrono::days>(selection.visitor_of->time);
    visitors_.insert({day, *selection.visitor});
  }
}

bool EventMatcher::matches(const RawEvent& event, const SourceOf& source_of) {
  const auto& what = selection_;
  if (!what.has_time(std::chrono::floor<std::chrono::seconds>(event.order.first))) return false;
  if (what.import != 0 && event.import != what.import) return false;
  if (what.visitor_of && !visitors_.contains(visitor_of(event))) return false;
  const auto path = event[Column::kPath];
  if (what.page && !pages_.find(path, [&] {
        return wildcard_matches(*what.page, texts_.text(Column::kPath, path));
      })) {
    return false;
  }
  if (what.prop && !has_prop(event[Column::kProps])) return false;
  if (!what.source) return true;
  auto source = source_of(event);
  if (source && !texts_.is_possible(Column::kSource, *source)) source = 0;
  return !source || sources_.find(*source, [&] {
    return texts_.text(Column::kSource, *source) == *what.source;
  });
}

bool EventMatcher::has_prop(std::uint32_t number) {
  return props_.find(number, [&] {
    const auto props = json::parse_object(texts_.text(Column::kProps, number));
    if (!props) return false;
    const auto& prop = *selection_.prop;
    return std::any_of(props->members.begin(), props->members.end(), [&](const auto& member) {
      return member.key == prop.key && (!prop.value || member.value.text == *prop.value);
    });
  });
}

void EventMatcher::find_visitors(std::span<const RawEvent> events) {
  if (!selection_.visitor_of) return;
  for (const auto& event : events) {
    if (event.order.first == selection_.visitor_of->time &&
        lasting_id(key_, selection_.site, event) == *selection_.visitor_of) {
      visitors_.insert(visitor_of(event));
    }
  }
}

void EventMatcher::filter(std::vector<RawEvent>& events, Keep keep) {
  find_visitors(events);
  const VisitSources sources(selection_.source ? std::span<const RawEvent>(events)
                                               : std::span<const RawEvent>());
  const auto source_of = [&](const RawEvent& event) { return sources.of(event); };
  std::erase_if(events, [&](const RawEvent& event) {
    return matches(event, source_of) != (keep == Keep::kMatching);
  });
}

}  // namespace analytics::sqlite
