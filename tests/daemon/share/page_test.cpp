#include "daemon/share/page.h"

#include "common/text/grouped.h"
#include "tests/support/catch.h"

namespace analytics::test::page_test {

using namespace analytics::share;

TEST_CASE("html: inserted texts are escaped everywhere", "[daemon][share_page]") {
  const std::string hostile = "<script>'\"&\x1b[2J\xff</script>";
  const auto html = Html().add("<a title=\"{}\">{}</a>{}", hostile, hostile, 1'234'567).str();
  const std::string escaped = "&lt;script&gt;&#39;&quot;&amp;\\x1b[2J\xEF\xBF\xBD&lt;/script&gt;";
  CHECK(html == "<a title=\"" + escaped + "\">" + escaped + "</a>1,234,567");
  CHECK(analytics::grouped(-1'234) == "-1,234");
  CHECK(analytics::grouped(-123) == "-123");
}

TEST_CASE("share_page: an empty panel says so, and a problem is shown where it occurred",
          "[daemon][share_page]") {
  Page page;
  page.panels.push_back({"pages", "Pages", {}, {"Page", "Visitors"}, {}, "", {}});
  CHECK(render_panels(page).find("Nothing in this period.") != std::string::npos);
  page.problem = "It took <too> long.";
  CHECK(render_panels(page).find("It took &lt;too&gt; long.") != std::string::npos);
}

}  // namespace analytics::test::page_test
