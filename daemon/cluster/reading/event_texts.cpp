#include "daemon/cluster/reading/event_texts.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics::cluster {
namespace {

// Approximate size of an entry of TextNumbers::numbers_ without its text, in bytes.
constexpr std::size_t kTextEntry = 96;
// End of each part in a joined text; no name of a browser, system or place contains it.
constexpr char kEndOfPart = '\0';

/// Splits a text that joined_number() has joined into a Client or Place.
template <typename Whole, typename Parts>
Whole parted(std::string_view joined, const Parts& parts) {
  Whole whole;
  std::size_t at = 0;
  for (const auto& part : parts) {
    const auto end = std::min(joined.find(kEndOfPart, at), joined.size());
    whole.*part.text = std::string(joined.substr(at, end - at));
    at = std::min(end + 1, joined.size());
  }
  return whole;
}

}  // namespace

std::uint32_t TextNumbers::number(std::string_view text, query::Charges& charges) {
  if (text.empty()) return 0;
  const auto known = numbers_.find(text);
  if (known != numbers_.end()) return known->second;
  charges.add(text.size() + kTextEntry);
  const auto number = static_cast<std::uint32_t>(texts_.size() + 1);
  texts_.push_back(&numbers_.emplace(text, number).first->first);
  return number;
}

std::string_view TextNumbers::text(std::int64_t number) const {
  if (number < 1 || number > std::ssize(texts_)) return {};
  return *texts_[static_cast<std::size_t>(number - 1)];
}

std::string EventTexts::text(query::Column column, std::int64_t number) {
  return std::string(of(column).text(number));
}

std::int64_t EventTexts::number(query::Column column, std::string_view text) {
  return of(column).number(text, charges_);
}

std::uint32_t EventTexts::joined_number(query::Column column,
                                        std::span<const std::string_view> parts) {
  joined_.clear();
  bool is_empty = true;
  for (const auto part : parts) {
    is_empty = is_empty && part.empty();
    joined_ += part;
    joined_ += kEndOfPart;
  }
  return is_empty ? 0 : of(column).number(joined_, charges_);
}

std::uint32_t EventTexts::client_number(std::span<const std::string_view> parts) {
  return joined_number(query::Column::kClient, parts);
}

std::uint32_t EventTexts::place_number(std::span<const std::string_view> parts) {
  return joined_number(query::Column::kPlace, parts);
}

Client EventTexts::client(std::int64_t number) {
  return parted<Client>(of(query::Column::kClient).text(number), kClientParts);
}

Place EventTexts::place(std::int64_t number) {
  return parted<Place>(of(query::Column::kPlace).text(number), kPlaceParts);
}

}  // namespace analytics::cluster
