#include "daemon/web/share_page.h"

#include "tests/support/catch.h"

using namespace analytics::web;

TEST_CASE("share_page: hostile text stays text", "[daemon][share_page]") {
  const SharePage page{
      "<script>x</script>",
      "a\"b'c",
      {{"Visitors", 1'234'567}},
      {{"Top <pages>", "Page", "Views", {{"/<img src=x onerror=1>&\x1b[2J", 12}}}}};
  const auto html = render_share_page(page);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("<img") == std::string::npos);
  CHECK(html.find('\x1b') == std::string::npos);
  CHECK(html.find("&lt;script&gt;x&lt;/script&gt;") != std::string::npos);
  CHECK(html.find("1,234,567") != std::string::npos);
}

TEST_CASE("share_page: an empty panel says so", "[daemon][share_page]") {
  CHECK(
      render_share_page({"a.de", "", {}, {{"Pages", "Page", "Views", {}}}}).find("Nothing yet.") !=
      std::string::npos);
}
