#include "daemon/share/page_parts.h"

#include <cmath>

namespace analytics::share {

std::string number(double value) {
  const auto tenths = static_cast<long long>(std::lround(value * 10));
  auto text = std::to_string(tenths / 10);
  if (tenths % 10 != 0) text += "." + std::to_string(std::abs(tenths % 10));
  return text;
}

Html link(const Link& link) {
  Html html;
  const Html current = link.is_current ? Html().add(" aria-current=\"true\"") : Html();
  Html key;
  if (*link.key != '\0') key.add(" aria-keyshortcuts=\"{}\"", link.key);
  html.add("<a href=\"{}\"{}{}>{}</a>", link.href, current, key, link.text);
  return html;
}

Html hidden(const Fields& fields) {
  Html html;
  for (const auto& [name, value] : fields) {
    html.add("<input type=\"hidden\" name=\"{}\" value=\"{}\">\n", Html::Exact{name},
             Html::Exact{value});
  }
  return html;
}

}  // namespace analytics::share
