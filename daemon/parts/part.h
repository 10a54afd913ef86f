#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/parts/packed.h"
#include "daemon/query/events/event_part.h"

namespace analytics::parts {

/// Maximum number of events of a part, so that no column takes more than 1 MiB.
inline constexpr auto kMaxEvents = query::EventPart::kMaxEvents;

/// A column in the format of parts.
struct PartColumn {
  std::uint32_t id;  ///< Id of the column, stored in each part's head: never change one.
  query::Column column;
  bool is_coded;     ///< True if the values are codes of the column's own dictionary.
  bool is_by_visit;  ///< True if the column has a value per visit, false if per event.
};

/// All columns of texts and numbers that queries read; those of kVisitFacts come last. kVisitor is
/// 1 for the first visit of each visitor, else 0; kTime counts seconds from the start of the part's
/// range. No column stores the visit of an event, which follows from the column kEventsId.
inline constexpr std::array kPartColumns = [] {
  using query::Column;
  constexpr std::array kOthers = {
      PartColumn{2, Column::kVisitor, false, true},
      PartColumn{3, Column::kIsPageview, false, false},
      PartColumn{4, Column::kTime, false, false},
      PartColumn{5, Column::kName, true, false},
      PartColumn{6, Column::kPath, true, false},
      PartColumn{7, Column::kHostname, true, false},
      PartColumn{8, Column::kProps, true, false},
      PartColumn{11, Column::kReferrer, true, true},
      PartColumn{12, Column::kSource, true, true},
      PartColumn{13, Column::kChannel, true, true},
      PartColumn{14, Column::kUtmSource, true, true},
      PartColumn{15, Column::kUtmMedium, true, true},
      PartColumn{16, Column::kUtmCampaign, true, true},
      PartColumn{17, Column::kUtmContent, true, true},
      PartColumn{18, Column::kUtmTerm, true, true},
      PartColumn{19, Column::kClient, true, true},
      PartColumn{20, Column::kPlace, true, true},
      PartColumn{21, Column::kEntryPage, true, true},
      PartColumn{22, Column::kExitPage, true, true},
      PartColumn{23, Column::kEntryHostname, true, true},
      PartColumn{24, Column::kExitHostname, true, true},
      PartColumn{25, Column::kScreen, true, true},
      PartColumn{26, Column::kLanguage, true, true},
  };
  std::array<PartColumn, kOthers.size() + kVisitFacts.size()> all{};
  auto* const facts = std::copy(kOthers.begin(), kOthers.end(), all.begin());
  std::transform(kVisitFacts.begin(), kVisitFacts.end(), facts, [](const VisitFactInfo& each) {
    return PartColumn{each.part_id, query::column_of(each.fact), false, true};
  });
  return all;
}();
static_assert(std::all_of(kPartColumns.begin(), kPartColumns.end(),
                          [](const PartColumn& column) {
                            const auto has_id = [&](const PartColumn& each) {
                              return each.id == column.id;
                            };
                            return std::count_if(kPartColumns.begin(), kPartColumns.end(),
                                                 has_id) == 1;
                          }),
              "two columns have the same id");

/// Id of the head of a part. The ids after it are those of further columns that queries read: for
/// each visit, the number of its events (kEventsId), the number of its events other than pageviews
/// (kOthersId), and 1 if it is a pseudo-visit, which stands for events without a visit (kPseudoId);
/// and the list of revenues (kRevenueId). cold_columns.h has more ids.
inline constexpr std::uint32_t kHeadId = 0;
inline constexpr std::uint32_t kEventsId = 40;
inline constexpr std::uint32_t kOthersId = 41;
inline constexpr std::uint32_t kPseudoId = 42;
inline constexpr std::uint32_t kRevenueId = 43;
/// Id of the list of shared visits, which may have events outside the part. Only a part made of
/// rows has the list; a part made of RawEvents contains all events of its visits.
inline constexpr std::uint32_t kSharedId = 44;
/// The highest id that a column may have. Database tables of parts use this number in their keys:
/// never change it.
inline constexpr std::uint32_t kMaxId = 127;

/// The head of a part, which is read first: counts, ranges of time and column ids.
struct PartHead {
  std::uint32_t events = 0;
  /// Number of visits, including pseudo-visits (events without a visit).
  std::uint32_t visits = 0;
  TimeRange range;
  /// Number of engagements, which are not among the `events`; see Engagements.
  std::uint32_t engagements = 0;
  TimeRange engaged;                   ///< Range of the engagements, if the part has any.
  std::vector<std::uint32_t> columns;  ///< Ids of the part's columns, in ascending order.

  [[nodiscard]] bool has(std::uint32_t column) const;
  /// Returns the range of time that covers both events and engagements.
  [[nodiscard]] TimeRange whole_range() const;

  [[nodiscard]] std::string write() const;
  /// Reads what write() returned. Throws Damaged.
  [[nodiscard]] static PartHead read(std::string_view bytes);
};

/// Returns all columns that Part::load() can load.
[[nodiscard]] query::ColumnSet part_columns();

/// Reads the events and visits of a part. A column that the part lacks reads as 0 everywhere.
class Part final : public query::EventPart {
 public:
  /// Function that returns the bytes of a column, without the checksum. REQUIRES: the part's head
  /// lists the column.
  using Fetch = std::function<std::string(std::uint32_t column)>;
  /// All functions throw Damaged if the bytes are damaged. load() also throws the errors of
  /// `fetch`.
  Part(query::PartId id, const PartHead& head, Fetch fetch);
  ~Part() override;

  [[nodiscard]] query::PartId id() const override { return id_; }
  [[nodiscard]] std::uint32_t events() const override { return head_.events; }
  [[nodiscard]] std::uint32_t visits() const override { return head_.visits; }
  [[nodiscard]] const TimeRange& range() const override { return head_.range; }
  void load(const query::ColumnSet& columns) override;
  [[nodiscard]] std::span<const std::int64_t> numbers(query::Column column) override;
  std::size_t read(query::Column column, std::size_t first, std::span<std::uint32_t> out) override;
  [[nodiscard]] std::span<const std::uint32_t> by_visit(query::Column column) override;
  [[nodiscard]] std::span<const std::uint32_t> first_events() override;
  [[nodiscard]] std::span<const std::uint32_t> events_by_visit() override;
  [[nodiscard]] std::span<const std::uint32_t> pageviews_by_visit() override;
  [[nodiscard]] std::span<const query::SharedVisit> shared_visits() override { return shared_; }
  [[nodiscard]] std::span<const query::PartRevenue> revenues() override { return revenues_; }

 private:
  /// A loaded column.
  struct Loaded {
    /// Bytes of the column, on the heap because `values` is a view of them.
    std::unique_ptr<std::string> bytes;
    Packed values;
    std::vector<std::int64_t> numbers;
  };

  [[nodiscard]] Loaded load(const PartColumn& column) const;
  [[nodiscard]] Loaded load_column(std::uint32_t id, std::size_t size, bool is_coded = false) const;
  void count_events();
  void load_visits();
  void load_shared();
  void load_revenues();
  [[nodiscard]] const Loaded& loaded(query::Column column) const;
  static void number_visitors(std::vector<std::uint32_t>& values);

  const query::PartId id_;
  const PartHead head_;
  const Fetch fetch_;
  std::map<query::Column, Loaded> loaded_;
  std::map<query::Column, std::vector<std::uint32_t>> by_visit_;
  Loaded events_;  ///< Number of each visit's events: kEventsId.
  Loaded others_;  ///< Number of each visit's events that are not pageviews: kOthersId.
  std::vector<std::uint32_t> is_visit_;
  std::vector<std::uint32_t> events_by_visit_;
  std::vector<std::uint32_t> first_events_;
  std::vector<std::uint32_t> pageviews_by_visit_;
  std::vector<query::SharedVisit> shared_;
  std::vector<query::PartRevenue> revenues_;
};

}  // namespace analytics::parts
