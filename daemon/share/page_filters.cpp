#include "daemon/share/page_filters.h"

#include "daemon/share/choices.h"
#include "daemon/share/page_parts.h"

namespace analytics::share {
namespace {

struct KeyName {
  const char* key;
  const char* meaning;
};
/// Keyboard shortcuts other than those of kPeriods.
constexpr KeyName kKeys[] = {{"\u2190 \u2192", "Earlier, later"},
                             {"f", "Add a filter"},
                             {"x", "Remove all filters"},
                             {"?", "This list"}};

template <typename Names>
Html options_of(const Names& names) {
  Html html;
  for (const auto& [id, name] : names) html.add("<option value=\"{}\">{}</option>\n", id, name);
  return html;
}

Html form_of(const Page& page) {
  return Html().add(
      "<details class=\"filter menu\"><summary aria-keyshortcuts=\"f\">Add a filter</summary>\n"
      "<form action=\"{}\">\n{}"
      "<select name=\"filter_by\" aria-label=\"Filter by\">\n{}</select>\n"
      "<input name=\"filter_key\" class=\"key\" maxlength=\"300\" aria-label=\"Name of the "
      "property\""
      " placeholder=\"its name\">\n"
      "<select name=\"filter_how\" aria-label=\"How\">\n{}</select>\n"
      "<input name=\"filter_values\" required aria-label=\"Values, with | between them\""
      " placeholder=\"value, or one | another\">\n"
      "<button>Add</button>\n</form></details>\n",
      page.action, hidden(page.filter_form), options_of(kFilterFields),
      options_of(kFilterOperators));
}

}  // namespace

Html filters_of(const Page& page) {
  Html html;
  html.add("<div class=\"filtering\">\n");
  if (!page.fixed_filters.empty()) {
    html.add("<ul class=\"fixed filters\" aria-label=\"What this page shows\">\n");
    for (const auto& text : page.fixed_filters) html.add("<li><bdi>{}</bdi></li>\n", text);
    html.add("</ul>\n");
  }
  if (!page.filters.empty()) html.add("<ul class=\"filters\" aria-label=\"Filters\">\n");
  for (const auto& filter : page.filters) {
    html.add(
        "<li><a href=\"{}\" title=\"Remove this filter\">{} <span aria-hidden=\"true\">×</span>"
        "<span class=\"unseen\">, remove this filter</span></a></li>\n",
        filter.href, Html().add("<bdi>{}</bdi>", filter.text));
  }
  if (!page.filters.empty()) html.add("<li>{}</li>\n</ul>\n", link(page.no_filters));
  return html.add("{}</div>\n", form_of(page));
}

Html list_of_keys() {
  Html html;
  html.add(
      "<dialog id=\"keys\" aria-labelledby=\"keys-title\">\n<h2 "
      "id=\"keys-title\">Keys</h2>\n<dl>\n");
  const auto add = [&](const char* key, const char* meaning) {
    html.add("<div><dt><kbd>{}</kbd></dt><dd>{}</dd></div>\n", key, meaning);
  };
  for (const auto& period : kPeriods) add(period.key, period.name);
  for (const auto& [key, meaning] : kKeys) add(key, meaning);
  return html.add(
      "</dl>\n<form method=\"dialog\">\n<label><input type=\"checkbox\" id=\"use-keys\" checked>"
      " Use these keys</label>\n<button>Close</button>\n</form>\n</dialog>\n");
}

}  // namespace analytics::share
