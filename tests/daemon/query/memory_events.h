#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "daemon/parts/part_builder.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::test {

/// Source of event batches in memory, so that tests run the executor without a store.
class MemoryEvents final : public query::EventSource, public query::Texts {
 public:
  using Event = std::map<query::Column, std::int64_t>;  ///< Values by column; 0 if absent.

  /// Limits each batch to `rows` events.
  explicit MemoryEvents(std::size_t rows = query::EventBatch::kCapacity)
      : rows_(std::min(rows, query::EventBatch::kCapacity)) {}

  void add(Event event) { events_.push_back(std::move(event)); }
  /// Adds a part of column-stored events, which must not be added as rows as well.
  void add_part(parts::PartBytes part) { parts_.push_back(std::move(part)); }
  /// Gives texts the same ids as `other` does.
  void share_texts(const MemoryEvents& other) {
    known_ = other.known_;
    clients_ = other.clients_;
  }
  /// Returns the id of a text. Equal texts have equal ids, and the empty text has the id 0.
  std::int64_t number(const std::string& text) {
    if (text.empty()) return 0;
    const auto found = std::find(known_.begin(), known_.end(), text);
    if (found != known_.end()) return found - known_.begin() + 1;
    known_.push_back(text);
    return static_cast<std::int64_t>(known_.size());
  }
  std::int64_t number(const Client& client) {
    clients_.push_back(client);
    return static_cast<std::int64_t>(clients_.size());
  }
  [[nodiscard]] int scans() const { return scans_; }
  [[nodiscard]] int lookups() const { return lookups_; }

  std::unique_ptr<query::BatchSource> scan(const TimeRange& range,
                                           const query::ColumnSet&) override {
    ++scans_;
    return std::make_unique<Scan>(*this, range);
  }
  std::vector<query::PartId> parts(const TimeRange& range) override {
    std::vector<query::PartId> ids;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& held = parts_[i].head.range;
      if (held.from < range.to && range.from < held.to) ids.push_back(static_cast<std::int64_t>(i));
    }
    return ids;
  }
  std::unique_ptr<query::EventPart> open_part(query::PartId part) override {
    const auto& stored = parts_[static_cast<std::size_t>(part)];
    return std::make_unique<parts::Part>(
        part, parts::PartHead::read(stored.head.write()),
        [&stored](std::uint32_t column) { return stored.columns.at(column); });
  }
  query::Texts& texts() override { return *this; }
  std::string text(query::Column, std::int64_t number) override {
    ++lookups_;
    return number == 0 ? "" : known_[static_cast<std::size_t>(number - 1)];
  }
  std::int64_t number(query::Column, std::string_view text) override {
    const auto found = std::find(known_.begin(), known_.end(), text);
    return found == known_.end() ? 0 : found - known_.begin() + 1;
  }
  Client client(std::int64_t number) override {
    return number == 0 ? Client() : clients_[static_cast<std::size_t>(number - 1)];
  }
  Place place(std::int64_t) override { return {}; }

 private:
  class Scan final : public query::BatchSource {
   public:
    Scan(const MemoryEvents& all, const TimeRange& range) : all_(all), range_(range) {}
    bool next(query::EventBatch& batch) override {
      std::size_t row = 0;
      for (; at_ < all_.events_.size() && row < all_.rows_; ++at_) {
        const auto& event = all_.events_[at_];
        const auto time = event.contains(query::Column::kTime) ? event.at(query::Column::kTime) : 0;
        if (time < range_.from.time_since_epoch().count()) continue;
        if (time >= range_.to.time_since_epoch().count()) continue;
        for (std::size_t i = 0; i < query::kColumns; ++i) {
          const auto found = event.find(static_cast<query::Column>(i));
          batch.set(static_cast<query::Column>(i), row, found == event.end() ? 0 : found->second);
        }
        ++row;
      }
      batch.set_size(row);
      return row > 0;
    }

   private:
    const MemoryEvents& all_;
    const TimeRange range_;
    std::size_t at_ = 0;
  };
  const std::size_t rows_;
  std::vector<Event> events_;
  std::vector<parts::PartBytes> parts_;
  std::vector<std::string> known_;
  std::vector<Client> clients_;
  int scans_ = 0;
  int lookups_ = 0;
};

}  // namespace analytics::test
