#include "common/json/json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/json/json_object.h"
#include "common/text/text.h"

namespace analytics::json {
namespace {

tl::unexpected<Error> malformed(const std::string& problem) {
  return fail(ErrorCode::kMalformedBody, "The body " + problem + ".");
}

/// Returns 0xD800..0xDFFF if the escape at `at` (its backslash) is a surrogate, else 0.
unsigned surrogate_at(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return 0;
  const auto value = read_escaped(text.substr(at + 2)).value_or(0);
  return value >= 0xD800 && value <= 0xDFFF ? value : 0;
}

/// Replaces every invalid byte and every lone surrogate escape with U+FFFD.
std::string repair(std::string_view text) {
  std::string fixed = repair_utf8(text);
  for (std::size_t at = 0; at + 1 < fixed.size(); ++at) {
    if (fixed[at] != '\\') continue;
    const unsigned first = surrogate_at(fixed, at);
    if (first == 0) {
      ++at;  // the escaped character is skipped
    } else if (first < 0xDC00 && surrogate_at(fixed, at + 6) >= 0xDC00) {
      at += 11;
    } else {
      fixed.replace(at, 6, "\\ufffd");
      at += 5;
    }
  }
  return fixed;
}

/// Returns true if the text is nested deeper than `depth`. A callback of the parser could check
/// this, but then the parser would visit all elements of a list again after each element.
bool is_deeper_than(std::size_t depth, std::string_view text) {
  std::size_t level = 0;
  bool is_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_string) {
      if (c == '\\') ++at;
      is_string = c != '"';
    } else if (c == '"') {
      is_string = true;
    } else if (c == '{' || c == '[') {
      if (++level > depth) return true;
    } else if ((c == '}' || c == ']') && level > 0) {
      --level;
    }
  }
  return false;
}

}  // namespace

const Value* find_member(const std::vector<Member>& members, std::string_view key) {
  const auto found = std::find_if(members.rbegin(), members.rend(),
                                  [&](const Member& member) { return member.key == key; });
  return found == members.rend() ? nullptr : &found->value;
}

const Value* Object::find(std::string_view key) const { return find_member(members, key); }

Result<Object> parse_object(std::string_view text, const Limits& limits) {
  Object object;
  object.members.reserve(8);
  if (read_plain_object(text, limits, object)) return object;
  object.members.clear();
  const auto problem = read_any_object(text, limits, object);
  if (problem.empty()) return object;
  if (auto fixed = repair(text); fixed != text) {
    Object second;
    if (read_any_object(fixed, limits, second).empty()) {
      second.repaired = true;
      return second;
    }
  }
  return malformed(problem);
}

Result<nlohmann::json> parse_document(std::string_view text, std::size_t depth) {
  if (trim(text).empty()) return malformed("is empty");
  if (auto problem = nul_problem(text); !problem.empty()) return malformed(problem);
  if (is_deeper_than(depth, text)) {
    return malformed("is nested deeper than " + std::to_string(depth) + " levels");
  }
  try {
    return nlohmann::json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::parse_error& error) {
    return malformed(syntax_problem(error.id, error.byte));
  } catch (const nlohmann::json::out_of_range& error) {
    return malformed(syntax_problem(error.id, text.size()));
  }
}

std::string quote(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  });
  if (is_plain) return '"' + std::string(text) + '"';
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace analytics::json
