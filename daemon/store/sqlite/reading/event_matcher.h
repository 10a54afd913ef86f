#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/run/secret.h"
#include "daemon/model/event_selection.h"
#include "daemon/query/events/raw_event.h"
#include "daemon/store/sqlite/tables/dictionary_reader.h"
#include "daemon/visits/visit_rows.h"

namespace analytics::sqlite {

/// Returns an id that identifies the event even after it moves from rows to a part. `key`: see
/// read_hash_key().
[[nodiscard]] LastingId lasting_id(const HashKey& key, SiteId site, const query::RawEvent& event);

/// Looks up the traffic sources of visits that are stored as rows.
class RowSources {
 public:
  explicit RowSources(Connection& connection);  ///< `connection` must outlive this object.
  /// Returns the text id of the traffic source of the event's visit; 0 for no source; nullopt if
  /// the visit's first event, which has the source, was removed.
  [[nodiscard]] std::optional<std::uint32_t> of(const query::RawEvent& event);

 private:
  Statement select_;
};

/// Decides which events match a selection. Compares each text only once. Throws SqliteError.
class EventMatcher {
 public:
  /// The references must outlive the object.
  EventMatcher(DictionaryReader& texts, const EventSelection& selection, const HashKey& key);

  /// Returns the text id of the traffic source of the event's visit; 0 for no source; nullopt if
  /// the source is unknown because a removal by source has deleted the visit's first event. Such an
  /// event matches.
  using SourceOf = std::function<std::optional<std::uint32_t>(const query::RawEvent&)>;
  /// Returns true if the event matches the selection. Calls `source_of` only if the selection has a
  /// traffic source.
  [[nodiscard]] bool matches(const query::RawEvent& event, const SourceOf& source_of);
  /// Selects the events that filter() keeps: those that match the selection, or the others.
  enum class Keep { kMatching, kOthers };
  /// Removes the events that `keep` does not choose. REQUIRES: `events` are all events of a part.
  void filter(std::vector<query::RawEvent>& events, Keep keep);

  /// Remembers the visitors of those events whose id is EventSelection::visitor_of. Called once for
  /// rows and once for each part, because rows and each part have their own visitor ids.
  void find_visitors(std::span<const query::RawEvent> events);
  [[nodiscard]] const std::set<VisitorDay>& visitors() const { return visitors_; }

 private:
  /// Remembers for each text of a column, by its id, whether the text matches the selection.
  class Known {
   public:
    template <typename Judge>
    bool find(std::uint32_t number, const Judge& judge) {
      if (number >= known_.size()) known_.resize(number + 1U, Verdict::kUnknown);
      auto& verdict = known_[number];
      if (verdict == Verdict::kUnknown) verdict = judge() ? Verdict::kYes : Verdict::kNo;
      return verdict == Verdict::kYes;
    }

   private:
    enum class Verdict : std::uint8_t { kUnknown, kYes, kNo };
    std::vector<Verdict> known_;
  };

  [[nodiscard]] bool has_prop(std::uint32_t number);

  DictionaryReader& texts_;
  const EventSelection& selection_;
  const HashKey key_;
  std::set<VisitorDay> visitors_;
  Known pages_;
  Known sources_;
  Known props_;
};

}  // namespace analytics::sqlite
