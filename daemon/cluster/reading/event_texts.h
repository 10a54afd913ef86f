#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "daemon/query/events/budget.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::cluster {

/// Assigns the ids 1, 2, 3 … to texts, in order of first appearance; the empty text has the id 0.
/// Throws LimitReached if the query's memory is used up.
class TextNumbers {
 public:
  /// Returns the id of a text. Charges the memory of a new text to `charges`.
  std::uint32_t number(std::string_view text, query::Charges& charges);
  /// Returns the text with the id `number`; empty if no text has this id.
  [[nodiscard]] std::string_view text(std::int64_t number) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  /// Element i is the text with the id i + 1, as a pointer to a key of numbers_ (keys never move).
  std::vector<const std::string*> texts_;
};

/// The texts that a query has read, with ids that are valid for this query only. The executor
/// needs ids, but ClickHouse stores texts without ids.
class EventTexts final : public query::Texts {
 public:
  explicit EventTexts(query::Budget& budget) : charges_(budget) {}

  [[nodiscard]] std::string text(query::Column column, std::int64_t number) override;
  /// Returns the id of a text. A new text gets an id too, because it may still appear in events.
  [[nodiscard]] std::int64_t number(query::Column column, std::string_view text) override;
  [[nodiscard]] Client client(std::int64_t number) override;
  [[nodiscard]] Place place(std::int64_t number) override;

  /// Return the id of the Client or Place that consists of these parts, in the order of
  /// kClientParts or kPlaceParts. Equal parts have equal ids; the id is 0 if all parts are empty.
  [[nodiscard]] std::uint32_t client_number(std::span<const std::string_view> parts);
  [[nodiscard]] std::uint32_t place_number(std::span<const std::string_view> parts);

 private:
  [[nodiscard]] TextNumbers& of(query::Column column) {
    return texts_[index_of(query::text_column(column))];
  }
  std::uint32_t joined_number(query::Column column, std::span<const std::string_view> parts);

  query::Charges charges_;
  /// Texts by column. For kClient and kPlace, a text consists of all parts of a Client or Place.
  std::array<TextNumbers, query::kColumns> texts_;
  std::string joined_;  ///< Buffer for joined_number().
};

}  // namespace analytics::cluster
