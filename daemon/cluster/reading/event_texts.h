#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "daemon/query/budget.h"
#include "daemon/query/event_batch.h"

namespace analytics::cluster {

/// Numbers texts as they come, from 1 on; the empty text is 0. Throws LimitReached.
class TextNumbers {
 public:
  std::uint32_t number(std::string_view text, query::Charges& charges);
  /// Empty for a number that nothing has.
  [[nodiscard]] std::string_view text(std::int64_t number) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> texts_;  ///< Keys of numbers_, which never move; from number 1.
};

/// The texts that one query has met, under numbers that it gives them: ClickHouse has no numbers.
class EventTexts final : public query::Texts {
 public:
  explicit EventTexts(query::Budget& budget) : charges_(budget) {}

  [[nodiscard]] std::string text(query::Column column, std::int64_t number) override;
  /// Gives a text that has none a number: what is looked for may come.
  [[nodiscard]] std::int64_t number(query::Column column, std::string_view text) override;
  [[nodiscard]] Client client(std::int64_t number) override;
  [[nodiscard]] Place place(std::int64_t number) override;

  /// Returns the number of the parts of a Client, or of a Place, in the order of kClientParts or
  /// kPlaceParts. Equal ones have equal numbers; 0: nothing is known.
  [[nodiscard]] std::uint32_t client_number(std::span<const std::string_view> parts);
  [[nodiscard]] std::uint32_t place_number(std::span<const std::string_view> parts);

 private:
  [[nodiscard]] TextNumbers& of(query::Column column) {
    return texts_[index_of(query::text_column(column))];
  }
  std::uint32_t joined_number(query::Column column, std::span<const std::string_view> parts);

  query::Charges charges_;
  std::array<TextNumbers, query::kColumns> texts_;  ///< By column; of kClient and kPlace joined.
  std::string joined_;                              ///< In use by joined_number().
};

}  // namespace analytics::cluster
