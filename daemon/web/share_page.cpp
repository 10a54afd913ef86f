#include "daemon/web/share_page.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "common/text.h"

namespace analytics::web {
namespace {

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : visible(text)) {
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

/// 1234567 as 1,234,567.
std::string grouped(std::int64_t number) {
  auto digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string head(std::string_view title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n<title>{}</title>\n"
      "<link rel=\"stylesheet\" href=\"/assets/share.css\">\n</head>\n",
      title);
}

std::string render_panel(const SharePanel& panel) {
  std::string rows;
  std::int64_t most = 1;
  for (const auto& row : panel.rows) most = std::max(most, row.second);
  for (const auto& [name, count] : panel.rows) {
    rows += fmt::format(
        "<tr><td><meter min=\"0\" max=\"{}\" value=\"{}\"></meter>{}</td><td>{}</td></tr>\n", most,
        count, escape(name), grouped(count));
  }
  if (rows.empty()) rows = "<tr><td colspan=\"2\">Nothing yet.</td></tr>\n";
  return fmt::format(
      "<section>\n<h2>{}</h2>\n<table>\n<thead><tr><th scope=\"col\">{}</th>"
      "<th scope=\"col\">{}</th></tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</section>\n",
      escape(panel.title), escape(panel.named), escape(panel.counted), rows);
}

}  // namespace

std::string render_share_page(const SharePage& page) {
  const auto domain = escape(page.domain);
  auto html = head(domain);
  html += fmt::format("<body>\n<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n<main>\n<dl>\n", domain,
                      escape(page.period));
  for (const auto& [name, value] : page.totals) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), grouped(value));
  }
  html += "</dl>\n";
  for (const auto& panel : page.panels) html += render_panel(panel);
  return html + "</main>\n</body>\n</html>\n";
}

std::string render_not_found() {
  return head("Not found") +
         "<body>\n<main>\n<h1>Not found</h1>\n<p>There is nothing here, or the link is no longer "
         "shared.</p>\n</main>\n</body>\n</html>\n";
}

std::string_view share_stylesheet() {
  return R"css(:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; }
header p { margin: 0; opacity: .7; }
dl { display: flex; gap: 2rem; flex-wrap: wrap; }
dt { opacity: .7; }
dd { margin: 0; font-size: 2rem; font-variant-numeric: tabular-nums; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem 2rem; }
dl { grid-column: 1 / -1; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { text-align: left; padding: .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th:last-child, td:last-child { text-align: right; width: 6rem; font-variant-numeric: tabular-nums; }
meter { display: block; width: 100%; height: .4rem; }
)css";
}

}  // namespace analytics::web
