#include "common/text/html.h"

#include "common/text/grouped.h"
#include "common/text/text.h"

namespace analytics {
namespace {

std::string escaped_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

}  // namespace

// Replaces control characters with visible escapes, such as "\x1b".
Html::Part::Part(std::string_view text) : html_(escaped_html(visible(repair_utf8(text)))) {}
Html::Part::Part(const std::string& text) : Part(std::string_view(text)) {}
Html::Part::Part(const char* text) : Part(std::string_view(text)) {}
Html::Part::Part(Exact exact) : html_(escaped_html(repair_utf8(exact.text))) {}
Html::Part::Part(std::int64_t number) : html_(grouped(number)) {}
Html::Part::Part(const Html& html) : html_(html.html_) {}

Html& Html::append(std::string_view form, std::initializer_list<Part> parts) {
  for (const auto& part : parts) {
    const auto hole = form.find("{}");
    html_.append(form.substr(0, hole)).append(part.html_);
    form.remove_prefix(hole + 2);
  }
  html_.append(form);
  return *this;
}

}  // namespace analytics
