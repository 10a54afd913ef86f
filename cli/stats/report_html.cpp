#include "cli/stats/report_html.h"

#include <algorithm>
#include <cmath>

#include "common/text/grouped.h"
#include "common/text/html.h"
#include "common/text/local_time.h"

// Some mail programs support only old HTML, so the layout uses tables, `bgcolor` and `height` in
// addition to inline styles, and no style sheet.
namespace analytics::cli {
namespace {

constexpr int kChartHeight = 80;          // height of the highest bar, in pixels
constexpr std::size_t kNumbersUpTo = 10;  // maximum number of bars with their numbers above them
constexpr std::size_t kTotalsInLine = 3;

/// Size in bytes from which no further site is added. Gmail cuts messages over 102 kB; the rest is
/// room for the last site.
constexpr std::size_t kMaxBytes = 84'000;

constexpr char kFont[] = "font-family:Arial,sans-serif;";
constexpr char kFaint[] = "#5b6474";
constexpr char kBar[] = "#2f5fd0";
constexpr char kLine[] = "#d9dde4";

const char* colour_of(Tone tone) {
  switch (tone) {
    case Tone::kBetter: return "#1a6b3c";
    case Tone::kWorse: return "#a8321f";
    case Tone::kSame: break;
  }
  return kFaint;
}

std::string title_of(const std::vector<Overview>& sites) {
  return sites.size() == 1 ? sites.front().title
                           : "Statistics of " + std::to_string(sites.size()) + " sites";
}

void add_totals(Html& mail, const std::vector<Overview::Total>& totals) {
  mail.add("<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\">\n");
  for (std::size_t first = 0; first < totals.size(); first += kTotalsInLine) {
    mail.add("<tr>");
    for (auto i = first; i < first + kTotalsInLine; ++i) {
      mail.add("<td width=\"33%\" valign=\"top\" style=\"padding:8px 8px 8px 0\">");
      if (i < totals.size()) {
        const auto& total = totals[i];
        mail.add("<div style=\"{}font-size:13px;color:{}\">{}</div>", kFont, kFaint, total.name);
        mail.add("<div style=\"{}font-size:22px;font-weight:bold\">{}</div>", kFont, total.value);
        mail.add("<div style=\"{}font-size:13px;color:{}\">{}</div>", kFont, colour_of(total.tone),
                 total.change);
      }
      mail.add("</td>");
    }
    mail.add("</tr>\n");
  }
  mail.add("</table>\n");
}

/// Returns the weekday under the bar of a day, such as "Wed"; empty if the bar is for an hour, a
/// week or a month.
std::string weekday_of(const std::string& label) {
  const auto day = parse_day(label);
  return day ? weekday_name(*day) : "";
}

void add_chart(Html& mail, const Overview& site) {
  const auto& buckets = site.buckets;
  double most = 0;
  for (const auto& bucket : buckets) most = std::max(most, bucket.value);
  if (most == 0) return;
  const bool has_numbers = buckets.size() <= kNumbersUpTo;
  mail.add("<p style=\"{}font-size:13px;color:{};margin:0;padding:8px 0 4px\">{}{}</p>\n", kFont,
           kFaint, site.series,
           has_numbers ? "" : " (highest bar: " + grouped(std::llround(most)) + ")");
  mail.add(
      "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" "
      "style=\"table-layout:fixed;border-bottom:1px solid {}\"><tr>\n",
      kLine);
  for (const auto& bucket : buckets) {
    const auto height = std::max<long>(1, std::lround(kChartHeight * bucket.value / most));
    mail.add("<td valign=\"bottom\" align=\"center\" style=\"{}font-size:11px;padding:0 1px\">",
             kFont);
    if (has_numbers) mail.add("{}", grouped(std::llround(bucket.value)));
    mail.add(
        "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\"><tr><td "
        "height=\"{}\" bgcolor=\"{}\" style=\"font-size:1px;line-height:1px\">&nbsp;</td></tr>"
        "</table></td>\n",
        std::to_string(height), kBar);
  }
  mail.add("</tr>");
  if (has_numbers && !weekday_of(buckets.front().label).empty()) {
    mail.add("<tr>");
    for (const auto& bucket : buckets) {
      mail.add("<td align=\"center\" style=\"{}font-size:11px;color:{}\">{}</td>", kFont, kFaint,
               weekday_of(bucket.label));
    }
    mail.add("</tr>");
  }
  mail.add("</table>\n<table role=\"presentation\" width=\"100%\"><tr>");
  mail.add("<td style=\"{}font-size:12px;color:{}\">{}</td>", kFont, kFaint, buckets.front().label);
  mail.add("<td align=\"right\" style=\"{}font-size:12px;color:{}\">{}</td></tr></table>\n", kFont,
           kFaint, buckets.back().label);
}

void add_panel(Html& mail, const Overview::Panel& panel) {
  if (panel.rows.empty()) return;
  mail.add(
      "<table width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" style=\"table-layout:fixed;"
      "margin-top:16px\">\n<tr><th align=\"left\" style=\"{}font-size:14px;padding:4px 0\">{}</th>",
      kFont, panel.title);
  const char* width = panel.columns.size() == 1 ? "90" : "22%";
  for (const auto& column : panel.columns) {
    mail.add(
        "<th align=\"right\" width=\"{}\" style=\"{}font-size:12px;font-weight:normal;color:{}\">"
        "{}</th>",
        width, kFont, kFaint, column);
  }
  mail.add("</tr>\n");
  for (const auto& row : panel.rows) {
    mail.add(
        "<tr><td style=\"{}font-size:14px;padding:4px 8px 4px 0;border-top:1px solid {};"
        "word-break:break-word\">{}</td>",
        kFont, kLine, row.name);
    for (const auto& value : row.values) {
      mail.add(
          "<td align=\"right\" style=\"{}font-size:14px;padding:4px 0;border-top:1px solid "
          "{}\">{}</td>",
          kFont, kLine, value);
    }
    mail.add("</tr>\n");
  }
  mail.add("</table>\n");
}

/// Begins a card 600 pixels wide. Outlook gets an extra table, because it does not support
/// `max-width`.
void begin_card(Html& mail, const std::string& title) {
  mail.add(
      "<!--[if mso]><table width=\"600\" align=\"center\"><tr><td><![endif]-->\n"
      "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" "
      "bgcolor=\"#ffffff\" style=\"max-width:600px;margin-bottom:16px;background:#ffffff;"
      "color:#1d2433;border:1px solid {}\"><tr><td style=\"padding:16px 20px;text-align:left\">\n"
      "<h1 style=\"{}font-size:18px;margin:0 0 8px;word-break:break-word\">{}</h1>\n",
      kLine, kFont, title);
}

void end_card(Html& mail) {
  mail.add("</td></tr></table>\n<!--[if mso]></td></tr></table><![endif]-->\n");
}

void add_note(Html& mail, const std::string& text) {
  mail.add("<p style=\"{}font-size:13px;color:{};margin:0;padding:8px 0 0\">{}</p>\n", kFont,
           kFaint, text);
}

bool has_visitors(const Overview& site) {
  return std::any_of(site.buckets.begin(), site.buckets.end(),
                     [](const Overview::Bucket& bucket) { return bucket.value > 0; });
}

/// Adds the text, as a link to the site's page if its URL is known.
void add_link(Html& mail, const Overview& site, const std::string& text) {
  if (site.url.empty()) {
    mail.add("{}", text);
  } else {
    mail.add("<a href=\"{}\" style=\"color:{}\">{}</a>", site.url, kBar, text);
  }
}

/// Adds a line for each site, with its visitors and their change.
void add_summary(Html& mail, const std::vector<Overview>& sites) {
  begin_card(mail, title_of(sites));
  mail.add(
      "<table width=\"100%\" cellpadding=\"0\" cellspacing=\"0\">\n<tr><th align=\"left\" "
      "style=\"{}font-size:14px;padding:4px 0\">Site</th>",
      kFont);
  for (const char* heading : {"Visitors", "Change"}) {
    mail.add(
        "<th align=\"right\" "
        "style=\"{}font-size:12px;padding-left:16px;font-weight:normal;color:{}\">{}</th>",
        kFont, kFaint, heading);
  }
  mail.add("</tr>\n");
  for (const auto& site : sites) {
    const auto total = site.totals.empty() ? Overview::Total() : site.totals.front();
    mail.add(
        "<tr><td style=\"{}font-size:14px;padding:4px 8px 4px 0;border-top:1px solid {};"
        "word-break:break-word\">",
        kFont, kLine);
    add_link(mail, site, site.name);
    mail.add("</td>");
    mail.add(
        "<td align=\"right\" style=\"{}font-size:14px;padding-left:16px;border-top:1px solid "
        "{}\">{}</td>",
        kFont, kLine, total.value);
    mail.add(
        "<td align=\"right\" style=\"{}font-size:13px;padding-left:16px;border-top:1px solid "
        "{};color:{}\">{}</td>"
        "</tr>\n",
        kFont, kLine, colour_of(total.tone), total.change);
  }
  mail.add("</table>\n");
  end_card(mail);
}

void add_site(Html& mail, const Overview& site) {
  begin_card(mail, site.title);
  if (has_visitors(site)) {
    add_totals(mail, site.totals);
    add_chart(mail, site);
    for (const auto& panel : site.panels) add_panel(mail, panel);
    for (const auto& note : site.notes) add_note(mail, note);
    add_note(mail, "Changes are from the period before.");
  } else {
    add_note(mail, "No visitors.");
  }
  if (!site.url.empty()) {
    mail.add("<p style=\"{}font-size:14px;margin:0;padding:12px 0 0\">", kFont);
    add_link(mail, site, "Open the page of " + site.name);
    mail.add("</p>\n");
  }
  end_card(mail);
}

}  // namespace

std::string html_report(const std::vector<Overview>& sites) {
  Html mail;
  mail.add(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light\">\n<title>{}</title>\n</head>\n"
      "<body style=\"margin:0;padding:0;background:#f5f6f8\" bgcolor=\"#f5f6f8\">\n",
      title_of(sites));
  mail.add(
      "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\"><tr><td "
      "align=\"center\" style=\"padding:16px\">\n");
  if (sites.size() > 1) add_summary(mail, sites);
  std::size_t shown = 0;
  for (; shown < sites.size() && (shown == 0 || mail.str().size() < kMaxBytes); ++shown) {
    add_site(mail, sites[shown]);
  }
  if (shown < sites.size()) {
    add_note(mail, "Mail programs cut longer messages: of " + std::to_string(sites.size() - shown) +
                       " more sites only the line above is here.");
  }
  return mail.add("</td></tr></table>\n</body>\n</html>\n").take();
}

}  // namespace analytics::cli
