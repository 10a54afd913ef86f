#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/run/result.h"

/// Reads untrusted JSON under limits that protect memory and stack.
namespace analytics::json {

struct Limits {
  std::size_t depth = 32;
  /// Maximum number of values in a text; this many take 2 ms to parse. An event has fewer than
  /// 100.
  std::size_t values = 4'000;
  /// Deepest nesting level whose objects keep their members; 1 is the outermost object.
  std::size_t kept = 2;
};

enum class Kind { kNull, kBoolean, kInteger, kDecimal, kString, kObject, kArray };

struct Member;

/// A value of an object. A scalar keeps its text ("true", "12", "1.50", or the string itself), and
/// a list the text of its first element if that is a scalar other than null. An object keeps its
/// members down to the level Limits::kept; deeper objects and objects in lists keep only their
/// kind.
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

/// A JSON object read in one pass. Members are in document order, including duplicates.
struct Object {
  std::vector<Member> members;
  /// True if the text contained invalid UTF-8 or lone surrogates; each is now U+FFFD.
  bool repaired = false;

  [[nodiscard]] const Value* find(std::string_view key) const;
};

/// Returns the last member with that name, as most JSON parsers do; null if there is no such
/// member.
[[nodiscard]] const Value* find_member(const std::vector<Member>& members, std::string_view key);

/// Parses a JSON object. Errors: kMalformedBody if the text is not one JSON object within the
/// limits; the message names the problem and, if known, the byte (from 1).
[[nodiscard]] Result<Object> parse_object(std::string_view text, const Limits& limits = {});

/// Parses a whole document. Errors: kMalformedBody. For replies, files and queries, not for the hot
/// path.
[[nodiscard]] Result<nlohmann::json> parse_document(std::string_view text, std::size_t depth = 64);

/// Returns the text as a JSON string with quotes; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace analytics::json
