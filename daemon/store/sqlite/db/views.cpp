#include "daemon/store/sqlite/db/views.h"

#include "common/event/screen_class.h"
#include "daemon/model/channel.h"
#include "daemon/store/sqlite/db/event_fields.h"

namespace analytics::sqlite {
namespace {

/// Returns ", CASE e.channel WHEN 1 THEN 'Direct' … END AS channel", to append to a list of
/// columns. `name_of` returns the name of a number, counted from 1, or an empty text after the
/// last.
template <typename NameOf>
std::string select_name(const std::string& event, const std::string& column,
                        const NameOf& name_of) {
  auto sql = ", CASE " + event + "." + column;
  for (int number = 1; !name_of(number).empty(); ++number) {
    sql += " WHEN " + std::to_string(number) + " THEN '" + std::string(name_of(number)) + "'";
  }
  return sql + " END AS " + column;
}

std::string select_channel(const std::string& event) {
  return select_name(event, "channel",
                     [](int number) { return channel_name(static_cast<Channel>(number)); });
}

/// Returns SQL that selects the names of an event's screen class and language, to append to a list
/// of columns. `event`: alias of the table events.
std::string select_screen_and_language(const std::string& event) {
  const auto letter = [&](int bits) {
    return "char(96 + (" + event + ".language >> " + std::to_string(bits) + " & 31))";
  };
  return select_name(event, "screen",
                     [](int number) { return screen_name(static_cast<ScreenClass>(number)); }) +
         ", iif(" + event + ".language, iif(" + event + ".language > 1023, " + letter(10) +
         ", '') || " + letter(5) + " || " + letter(0) + ", NULL) AS language";
}

}  // namespace

std::string views_sql() {
  using enum StringKind;
  const auto visit = visit_sql("v");
  const auto event_source = select_texts("e", kName, kSource);
  const auto event_rest = select_texts("e", kUtmSource, kCurrency);
  const auto visit_source = select_texts("f", kReferrer, kSource);
  const auto visit_rest = select_texts("f", kUtmSource, kPlace);
  return "DROP VIEW IF EXISTS event_text; CREATE VIEW event_text AS SELECT s.domain AS site,"
         " strftime('%Y-%m-%dT%H:%M:%SZ', e.time, 'unixepoch') AS time" +
         event_source.columns + select_channel("e") + event_rest.columns +
         select_screen_and_language("e") +
         ", e.revenue_micros, e.engaged_millis, e.scroll_depth, coalesce(vm.winner, e.visit) AS "
         "visit, i.name AS"
         " import"
         " FROM events e JOIN sites s ON s.id = e.site" +
         event_source.joins + event_rest.joins +
         " LEFT JOIN visit_merges vm ON vm.loser = e.visit"
         " LEFT JOIN imports i ON i.id = e.import;"
         // Aliases of the table events: f is the visit's first event, en and ex are its first and
         // last pageview.
         "DROP VIEW IF EXISTS visit_text; CREATE VIEW visit_text AS SELECT v.id AS visit,"
         " s.domain AS site, strftime('%Y-%m-%dT%H:%M:%SZ', v.started / 1000, 'unixepoch') AS"
         " started, strftime('%Y-%m-%dT%H:%M:%SZ', (v.started + v.length) / 1000, 'unixepoch') AS"
         " ended, " +
         info_of(VisitFact::kSeconds).sql(visit) +
         " AS duration, v.pageviews AS pageviews, v.events AS events, " +
         info_of(VisitFact::kBounce).sql(visit) +
         " AS bounced,"
         " pe.value AS entry_page, px.value AS exit_page, he.value AS entry_page_hostname,"
         " hx.value AS exit_page_hostname" +
         visit_source.columns + select_channel("f") + visit_rest.columns +
         select_screen_and_language("f") +
         " FROM visits v JOIN sites s ON s.id = v.site JOIN events f ON f.id = v.first"
         " LEFT JOIN events en ON en.id = v.entry LEFT JOIN events ex ON ex.id = v.exit" +
         join_text("pe", kPath, "en", "path") + join_text("px", kPath, "ex", "path") +
         join_text("he", kHostname, "en", "hostname") +
         join_text("hx", kHostname, "ex", "hostname") + visit_source.joins + visit_rest.joins + ";";
}

}  // namespace analytics::sqlite
