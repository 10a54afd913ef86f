#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/result.h"

/// JSON from outside, always under limits: text is untrusted, memory and stack are not.
namespace analytics::json {

struct Limits {
  std::size_t depth = 32;
  std::size_t values = 4'000;  ///< Two milliseconds of parsing; an event needs fewer than 100.
  std::size_t kept = 2;        ///< Levels of objects within each other that keep their members.
};

enum class Kind { kNull, kBoolean, kInteger, kDecimal, kString, kObject, kArray };

struct Member;

/// A value of an object: scalars keep their text ("true", "12", "1.50", or the string itself), and
/// a list that of its first element, if it is a scalar other than null. An object keeps its
/// members down to Limits::kept; what is deeper, or in a list, only its kind.
struct Value {
  Kind kind = Kind::kNull;
  std::string text;
  std::vector<Member> members;

  [[nodiscard]] bool is_scalar() const {
    return kind != Kind::kNull && kind != Kind::kObject && kind != Kind::kArray;
  }
};

struct Member {
  std::string key;
  Value value;
};

/// A JSON object read in one pass. Members stand in order, duplicates included.
struct Object {
  std::vector<Member> members;
  /// The text held invalid UTF-8 or lone surrogates; each is U+FFFD now.
  bool repaired = false;

  [[nodiscard]] const Value* find(std::string_view key) const;
};

/// The last member of that name, as JSON parsers commonly take it; null when there is none.
[[nodiscard]] const Value* find_member(const std::vector<Member>& members, std::string_view key);

/// Errors: kMalformedBody when the text is not one JSON object within the limits, saying what is
/// wrong and, where it can, at which byte (from 1).
[[nodiscard]] Result<Object> parse_object(std::string_view text, const Limits& limits = {});

/// A whole document. Errors: kMalformedBody. For replies, files and queries, not for the hot path.
[[nodiscard]] Result<nlohmann::json> parse_document(std::string_view text, std::size_t depth = 64);

/// The text as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace analytics::json
