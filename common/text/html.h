#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace analytics {

/// Builds HTML safely: every text is escaped where it is inserted.
class Html {
 public:
  /// Text whose control characters are kept, for a form field that is sent back unchanged.
  struct Exact {
    std::string_view text;
  };

  /// The value that replaces a `{}`: text, which is escaped; a number; or finished HTML.
  class Part {
   public:
    Part(std::string_view text);    // NOLINT: meant to be implicit
    Part(const std::string& text);  // NOLINT
    Part(const char* text);         // NOLINT
    Part(Exact text);               // NOLINT
    Part(std::int64_t number);      // NOLINT
    Part(const Html& html);         // NOLINT

   private:
    friend class Html;
    std::string html_;
  };

  /// A literal with one `{}` for each of `Count` parts. A literal with more or fewer does not
  /// compile.
  template <std::size_t Count>
  class Form {
   public:
    consteval Form(const char* text) : text_(text) {  // NOLINT: meant to be implicit
      std::size_t holes = 0;
      for (auto at = text_.find("{}"); at != text_.npos; at = text_.find("{}", at + 2)) ++holes;
      if (holes != Count) throw std::logic_error("not one {} for each part");
    }

   private:
    friend class Html;
    std::string_view text_;
  };

  /// Appends `form` with each `{}` replaced by the next part.
  template <typename... Parts>
  Html& add(Form<sizeof...(Parts)> form, const Parts&... parts) {
    return append(form.text_, {Part(parts)...});
  }

  [[nodiscard]] const std::string& str() const { return html_; }
  [[nodiscard]] std::string take() { return std::move(html_); }
  [[nodiscard]] bool empty() const { return html_.empty(); }

 private:
  Html& append(std::string_view form, std::initializer_list<Part> parts);

  std::string html_;
};

}  // namespace analytics
