#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace analytics::web {

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

  /// Appends `form` with each `{}` replaced by the next part. REQUIRES: as many parts as `{}`.
  Html& add(std::string_view form, std::initializer_list<Part> parts = {});

  [[nodiscard]] const std::string& str() const { return html_; }
  [[nodiscard]] bool empty() const { return html_.empty(); }

 private:
  std::string html_;
};

}  // namespace analytics::web
