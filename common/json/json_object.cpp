#include "common/json/json_object.h"

#include <charconv>
#include <utility>

#include <nlohmann/json.hpp>

#include "common/text/text.h"

namespace analytics::json {
namespace {

/// Fills an Object from the calls of nlohmann's event parser. A function that returns false ends
/// the parse.
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
    // The parser also calls this function for integers too large for 64 bits.
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

  /// Returns the reason why the parse failed. The reason completes a sentence that begins with "The
  /// body".
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  /// Returns the members of the current object; null in a list, or if the object is too deep to
  /// keep.
  std::vector<Member>* level() {
    if (depth_ > limits_.kept) return nullptr;
    auto* members = &object_.members;
    for (std::size_t depth = 1; depth < depth_; ++depth) {
      auto& value = members->back().value;
      if (value.kind != Kind::kObject) return nullptr;
      members = &value.members;
    }
    return members;
  }
  bool set(Kind kind, std::string text) {
    if (++values_ > limits_.values) {
      return refuse("has more than " + std::to_string(limits_.values) + " values");
    }
    auto* list = std::exchange(list_, nullptr);
    if (auto* members = level()) {
      members->back().value.kind = kind;
      members->back().value.text = std::move(text);
      if (kind == Kind::kArray) list_ = &members->back().value;
    } else if (list != nullptr) {
      list->text = std::move(text);  // `text` is empty if the first element is not a scalar
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
    list_ = nullptr;
    return true;
  }

  Object& object_;
  const Limits& limits_;
  std::size_t depth_ = 0;
  std::size_t values_ = 0;
  Value* list_ = nullptr;  ///< The list whose first element is kept, until that element is read.
  std::string problem_;
};

}  // namespace

std::optional<unsigned> read_escaped(std::string_view text) {
  constexpr std::size_t kDigits = 4;
  if (text.size() < kDigits) return std::nullopt;
  unsigned value = 0;
  const auto* end = text.data() + kDigits;
  const auto [read_to, error] = std::from_chars(text.data(), end, value, 16);
  return error == std::errc() && read_to == end ? std::optional(value) : std::nullopt;
}

std::string syntax_problem(int id, std::size_t byte) {
  constexpr int kOutOfRange = 406;
  return (id == kOutOfRange ? "has a number that is too large, before byte "
                            : "is not valid JSON, from byte ") +
         std::to_string(byte);
}

std::string nul_problem(std::string_view text) {
  const auto at = text.find('\0');
  return at == std::string_view::npos ? "" : "has a NUL byte at byte " + std::to_string(at + 1);
}

std::string read_any_object(std::string_view text, const Limits& limits, Object& object) {
  if (trim(text).empty()) return "is empty";
  if (auto problem = nul_problem(text); !problem.empty()) return problem;
  ObjectReader reader(object, limits);
  const bool is_read = nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
  return is_read ? "" : reader.problem();
}

}  // namespace analytics::json
