#include "common/json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/text.h"

namespace analytics::json {
namespace {

/// Describes a syntax error by nlohmann's number for it, as the rest of a sentence.
std::string syntax_problem(int id, std::size_t byte) {
  constexpr int kOutOfRange = 406;
  return (id == kOutOfRange ? "has a number that is too large, before byte "
                            : "is no valid JSON, from byte ") +
         std::to_string(byte);
}

tl::unexpected<Error> malformed(const std::string& problem) {
  return fail(ErrorCode::kMalformedBody, "The body " + problem + ".");
}

/// Fills an Object from nlohmann's event parser. Returning false ends the parse.
class ObjectReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  ObjectReader(Object& object, const Limits& limits) : object_(object), limits_(limits) {}

  bool null() override { return scalar(Kind::kNull, {}); }
  bool boolean(bool value) override { return scalar(Kind::kBoolean, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return scalar(Kind::kInteger, std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return scalar(Kind::kInteger, std::to_string(value));
  }
  bool number_float(number_float_t, const string_t& text) override {
    // An integer too large for 64 bits comes this way too.
    const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
    return scalar(whole ? Kind::kInteger : Kind::kDecimal, text);
  }
  bool string(string_t& value) override { return scalar(Kind::kString, std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Kind::kObject); }
  bool start_array(std::size_t) override {
    return depth_ > 0 ? open(Kind::kArray) : refuse("is JSON, but not an object");
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    if (auto* members = level()) members->push_back({std::move(key), {}});
    return true;
  }
  bool parse_error(std::size_t at, const std::string&,
                   const nlohmann::json::exception& error) override {
    problem_ = syntax_problem(error.id, at);
    return false;
  }

  /// Why the parse ended, as the rest of a sentence about the body.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  /// The members of the object being read; null when it is too deep to keep, or a list.
  std::vector<Member>* level() {
    if (depth_ == 1) return &object_.members;
    if (depth_ == 2 && object_.members.back().value.kind == Kind::kObject) {
      return &object_.members.back().value.members;
    }
    return nullptr;
  }
  bool set(Kind kind, std::string text) {
    if (++values_ > limits_.values) {
      return refuse("has more than " + std::to_string(limits_.values) + " values");
    }
    if (auto* members = level()) {
      members->back().value.kind = kind;
      members->back().value.text = std::move(text);
    }
    return true;
  }
  bool scalar(Kind kind, std::string text) {
    return depth_ > 0 ? set(kind, std::move(text)) : refuse("is JSON, but not an object");
  }
  bool open(Kind kind) {
    if (depth_ > 0 && !set(kind, {})) return false;
    if (++depth_ <= limits_.depth) return true;
    return refuse("is nested deeper than " + std::to_string(limits_.depth) + " levels");
  }
  bool close() {
    --depth_;
    return true;
  }

  Object& object_;
  const Limits& limits_;
  std::size_t depth_ = 0;
  std::size_t values_ = 0;
  std::string problem_;
};

/// The library takes a NUL for the end of the text and would pass over what is behind it. JSON has
/// none anywhere (RFC 8259, sections 2 and 7). Empty: there is none.
std::string nul_problem(std::string_view text) {
  const auto at = text.find('\0');
  return at == std::string_view::npos ? "" : "has a NUL byte at byte " + std::to_string(at + 1);
}

/// Fills the object. What is wrong, as the rest of a sentence about the body; empty: nothing.
std::string read(std::string_view text, const Limits& limits, Object& object) {
  if (trim(text).empty()) return "is empty";
  if (auto problem = nul_problem(text); !problem.empty()) return problem;
  ObjectReader reader(object, limits);
  const bool is_read = nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
  return is_read ? "" : reader.problem();
}

/// 0xD800..0xDFFF when the escape at `at` (its backslash) is a surrogate, else 0.
unsigned surrogate_at(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return 0;
  unsigned value = 0;
  for (const char c : text.substr(at + 2, 4)) {
    const char low = ascii_lower(c);
    if (low >= '0' && low <= '9') {
      value = value * 16 + static_cast<unsigned>(low - '0');
    } else if (low >= 'a' && low <= 'f') {
      value = value * 16 + static_cast<unsigned>(low - 'a' + 10);
    } else {
      return 0;
    }
  }
  return value >= 0xD800 && value <= 0xDFFF ? value : 0;
}

/// The text with every invalid byte and every lone surrogate escape replaced by U+FFFD.
std::string repair(std::string_view text) {
  std::string fixed = repair_utf8(text);
  for (std::size_t at = 0; at + 1 < fixed.size(); ++at) {
    if (fixed[at] != '\\') continue;
    const unsigned first = surrogate_at(fixed, at);
    if (first == 0) {
      ++at;  // whatever is escaped, it is not the start of another escape
    } else if (first < 0xDC00 && surrogate_at(fixed, at + 6) >= 0xDC00) {
      at += 11;
    } else {
      fixed.replace(at, 6, "\\ufffd");
      at += 5;
    }
  }
  return fixed;
}

/// This is looked for before the text is parsed: a parser with a callback looks at all elements of
/// a list again after each of them.
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

const Value* Object::find(std::string_view key) const {
  const auto found = std::find_if(members.rbegin(), members.rend(),
                                  [&](const Member& member) { return member.key == key; });
  return found == members.rend() ? nullptr : &found->value;
}

Result<Object> parse_object(std::string_view text, const Limits& limits) {
  Object object;
  object.members.reserve(8);
  const auto problem = read(text, limits, object);
  if (problem.empty()) return object;
  if (auto fixed = repair(text); fixed != text) {
    Object second;
    if (read(fixed, limits, second).empty()) {
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
