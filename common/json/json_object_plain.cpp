#include <array>

#include <utf8proc.h>

#include "common/json/json_object.h"
#include "common/text/text.h"

namespace analytics::json {
namespace {

constexpr std::size_t kMaxDigits = 18;  // an integer of 18 digits always fits into 64 bits

/// True for each byte that needs no decoding in a string.
constexpr auto kStandsForItself = [] {
  std::array<bool, 256> table{};
  for (std::size_t byte = ' '; byte < table.size(); ++byte) table[byte] = true;
  table['"'] = table['\\'] = false;
  return table;
}();

/// A recursive-descent parser (RFC 8259). Each function reads a part of the document from the
/// part's first byte, and returns false if the text is not plain (see read_plain_object()). If
/// `kept` is null, the part is skipped.
class PlainReader {
 public:
  PlainReader(std::string_view text, const Limits& limits)
      : text_(text), at_(text.data()), end_(text.data() + text.size()), limits_(limits) {}

  bool read(Object& object) {
    pass_blanks();
    if (!take('{') || !read_members(1, &object.members)) return false;
    pass_blanks();
    return at_ == end_ && (!has_wide_ || is_valid_utf8(text_));
  }

 private:
  /// Reads the members of an object, starting after its `{`.
  bool read_members(std::size_t depth, std::vector<Member>* kept) {
    if (depth > limits_.depth) return false;
    pass_blanks();
    if (take('}')) return true;
    do {
      pass_blanks();
      auto* member = kept == nullptr ? nullptr : &kept->emplace_back();
      if (!take('"') || !read_string(member == nullptr ? nullptr : &member->key)) return false;
      pass_blanks();
      if (!take(':') || !read_value(depth, member == nullptr ? nullptr : &member->value)) {
        return false;
      }
    } while (take(','));
    return take('}');
  }

  /// Reads the elements of a list, starting after its `[`. Keeps the first element's text.
  bool read_elements(std::size_t depth, std::string* kept) {
    if (depth > limits_.depth) return false;
    pass_blanks();
    if (take(']')) return true;
    Value first;
    if (!read_value(depth, kept == nullptr ? nullptr : &first)) return false;
    if (kept != nullptr && first.is_scalar()) *kept = std::move(first.text);
    while (take(',')) {
      if (!read_value(depth, nullptr)) return false;
    }
    return take(']');
  }

  /// Reads a value with the blanks around it. `depth`: nesting depth of the enclosing object or
  /// list.
  bool read_value(std::size_t depth, Value* kept) {
    if (++values_ > limits_.values) return false;
    pass_blanks();
    if (at_ == end_) return false;
    auto kind = Kind::kNull;
    bool is_read = false;
    if (take('"')) {
      kind = Kind::kString;
      is_read = read_string(kept == nullptr ? nullptr : &kept->text);
    } else if (take('{')) {
      kind = Kind::kObject;
      is_read = read_members(depth + 1,
                             depth < limits_.kept && kept != nullptr ? &kept->members : nullptr);
    } else if (take('[')) {
      kind = Kind::kArray;
      is_read = read_elements(depth + 1, kept == nullptr ? nullptr : &kept->text);
    } else if (const auto begin = at_; take_word("true") || take_word("false")) {
      kind = Kind::kBoolean;
      is_read = true;
      if (kept != nullptr) kept->text.assign(begin, at_);
    } else if (take_word("null")) {
      is_read = true;
    } else {
      is_read = read_number(kind);
      if (kept != nullptr) kept->text.assign(begin, at_);
    }
    if (kept != nullptr) kept->kind = kind;
    pass_blanks();
    return is_read;
  }

  bool read_number(Kind& kind) {
    const bool is_negative = take('-');
    const auto begin = at_;
    const auto digits = pass_digits();
    if (digits == 0 || digits > kMaxDigits || (*begin == '0' && digits > 1)) return false;
    kind = Kind::kInteger;
    if (take('.')) {
      kind = Kind::kDecimal;
      if (pass_digits() == 0) return false;
    } else if (is_negative && *begin == '0') {
      return false;  // -0 is rejected, because nlohmann/json reads it as 0
    }
    return at_ == end_ || (*at_ != 'e' && *at_ != 'E');
  }

  /// Reads a string, starting after its first quote.
  bool read_string(std::string* kept) {
    for (auto begin = at_;; begin = at_) {
      while (at_ != end_ && kStandsForItself[static_cast<unsigned char>(*at_)]) {
        has_wide_ = has_wide_ || static_cast<signed char>(*at_) < 0;
        ++at_;
      }
      if (kept != nullptr) kept->append(begin, at_);
      if (take('"')) return true;
      if (!take('\\') || !read_escape(kept)) return false;
    }
  }

  /// Reads an escape, starting after the backslash.
  bool read_escape(std::string* kept) {
    constexpr std::string_view kEscaped = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (at_ == end_) return false;
    const char escaped = *at_++;
    if (escaped == 'u') return read_code_point(kept);
    const auto place = kEscaped.find(escaped);
    if (place == std::string_view::npos) return false;
    if (kept != nullptr) *kept += kMeant[place];
    return true;
  }

  /// Reads the four hex digits of a \u escape, and appends the character to `kept`.
  bool read_code_point(std::string* kept) {
    const auto value = read_escaped({at_, static_cast<std::size_t>(end_ - at_)});
    const bool is_surrogate = value && *value >= 0xD800 && *value <= 0xDFFF;
    if (!value || is_surrogate) return false;
    at_ += 4;
    if (kept == nullptr) return true;
    utf8proc_uint8_t encoded[4];
    const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(*value), encoded);
    kept->append(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(size));
    return true;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  void pass_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
  }
  std::size_t pass_digits() {
    const auto begin = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return static_cast<std::size_t>(at_ - begin);
  }
  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word))
      return false;
    at_ += word.size();
    return true;
  }

  std::string_view text_;
  const char* at_;  ///< Next byte to read.
  const char* end_;
  const Limits& limits_;
  std::size_t values_ = 0;
  bool has_wide_ = false;  ///< True if a string contains a byte that is not ASCII.
};

}  // namespace

bool read_plain_object(std::string_view text, const Limits& limits, Object& object) {
  return PlainReader(text, limits).read(object);
}

}  // namespace analytics::json
