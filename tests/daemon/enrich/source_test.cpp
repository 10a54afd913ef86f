#include "daemon/enrich/source.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/enrich/advertisement_table.h"
#include "daemon/enrich/referrer.h"
#include "daemon/enrich/utm.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

namespace analytics::test::source_test {

namespace {

struct Seen {
  std::string source;
  std::string channel;
  bool operator==(const Seen&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  return out << seen.source << " / " << seen.channel;
}

/// Returns the source and channel of a visit with this query and referrer.
Seen see(const std::string& query, const std::string& referrer = "") {
  const auto utm = extract_utm(query);
  const auto source = find_source(utm, referrer, query);
  return {source.name, std::string(channel_name(find_channel(source, utm, query)))};
}

}  // namespace

TEST_CASE("source: every row of the table is found by its hosts, their subdomains and its tags",
          "[daemon][source]") {
  std::set<std::string_view> hosts;
  std::set<std::string> tags;
  for (const auto& row : known_sources()) {
    INFO(row.name);
    CHECK(source_of_tag(row.name) == &row);
    CHECK(tags.insert(ascii_lower(row.name)).second);
    for (const auto host : split(row.hosts, ' ')) {
      CHECK(hosts.insert(host).second);
      const bool any = host.ends_with(".*");
      for (const std::string suffix : {"com", "de", "co.uk"}) {
        const auto name =
            any ? std::string(host.substr(0, host.size() - 1)) + suffix : std::string(host);
        CHECK(source_of_host(name) == &row);
        if (!any) break;
      }
    }
    for (const auto alias : split(row.aliases, ' ')) {
      if (alias.empty()) continue;
      CHECK(tags.insert(std::string(alias)).second);
      auto upper = std::string(alias);
      for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      CHECK(source_of_tag(upper) == &row);
    }
  }
  CHECK(known_sources().size() >= 250);
}

TEST_CASE("source: the longest matching host counts, and look-alikes do not match",
          "[daemon][source]") {
  CHECK(source_of_host("mail.google.com")->name == "Gmail");
  CHECK(source_of_host("WWW.Google.co.uk")->name == "Google");
  CHECK(source_of_host("l.facebook.com")->name == "Facebook");
  for (const std::string host : {"google.example.com", "notgoogle.com", "google.com.evil.org",
                                 "facebook.com.evil.org", "google", "", "a.example"}) {
    INFO(host);
    CHECK(source_of_host(host) == nullptr);
  }
}

TEST_CASE("source: a tag takes precedence over the referrer, and both over a click id",
          "[daemon][source]") {
  CHECK(see("utm_source=newsletter", "google.com/x").source == "newsletter");
  CHECK(see("utm_source=TWITTER").source == "Twitter");
  CHECK(see("ref=producthunt.com").source == "Product Hunt");
  CHECK(see("", "news.ycombinator.com/item").source == "Hacker News");
  CHECK(see("", "blog.example/post").source == "blog.example");
  CHECK(see("gclid=abc").source == "Google");
  CHECK(see("").source.empty());
}

TEST_CASE("channel: the rules apply in their order", "[daemon][source]") {
  CHECK(see("") == Seen{"", "Direct"});
  CHECK(see("", "google.com") == Seen{"Google", "Organic Search"});
  CHECK(see("gclid=x", "google.de") == Seen{"Google", "Paid Search"});
  CHECK(see("msclkid=x") == Seen{"Bing", "Paid Search"});
  CHECK(see("fbclid=x", "l.facebook.com") == Seen{"Facebook", "Organic Social"});
  CHECK(see("gclid=x&utm_source=facebook") == Seen{"Facebook", "Organic Social"});
  CHECK(see("utm_source=google&utm_medium=cpc") == Seen{"Google", "Paid Search"});
  CHECK(see("utm_source=fb&utm_medium=paid-social") == Seen{"Facebook", "Paid Social"});
  CHECK(see("utm_source=yt&utm_medium=cpc").channel == "Paid Video");
  CHECK(see("utm_source=ebay&utm_medium=ppc").channel == "Paid Shopping");
  CHECK(see("utm_source=x.y&utm_campaign=spring-shop&utm_medium=cpc").channel == "Paid Shopping");
  CHECK(see("utm_source=x.y&utm_campaign=workshop").channel == "Referral");
  CHECK(see("utm_source=some&utm_medium=cpm").channel == "Display");
  CHECK(see("utm_source=some&utm_medium=cpc").channel == "Paid Other");
  CHECK(see("utm_campaign=cross-network&utm_source=google&utm_medium=cpc").channel ==
        "Cross-network");
  CHECK(see("", "amazon.co.uk/x").channel == "Organic Shopping");
  CHECK(see("", "chatgpt.com") == Seen{"ChatGPT", "AI Assistants"});
  CHECK(see("utm_source=x&utm_medium=social").channel == "Organic Social");
  CHECK(see("utm_source=list&utm_medium=e-mail").channel == "Email");
  CHECK(see("", "mail.google.com").channel == "Email");
  CHECK(see("utm_source=p&utm_medium=affiliate").channel == "Affiliates");
  CHECK(see("utm_source=p&utm_medium=audio").channel == "Audio");
  CHECK(see("utm_source=sms").channel == "SMS");
  CHECK(see("utm_source=app&utm_medium=webpush").channel == "Mobile Push Notifications");
  CHECK(see("", "github.com/x") == Seen{"GitHub", "Organic Social"});
  CHECK(see("", "chatgpt.com").channel == see("utm_medium=organic", "chatgpt.com").channel);
  for (const std::string medium : {"referral", "app", "link"}) {
    CHECK(see("utm_medium=" + medium) == Seen{"", "Referral"});
  }
  CHECK(see("utm_medium=app-push").channel == "Mobile Push Notifications");
}

TEST_CASE("channel: a medium that names a channel takes precedence over our own sources",
          "[daemon][source]") {
  CHECK(see("utm_source=substack&utm_medium=email") == Seen{"Substack", "Email"});
  CHECK(see("utm_source=patreon&utm_medium=email") == Seen{"Patreon", "Email"});
  CHECK(see("utm_source=mailchimp&utm_medium=sms") == Seen{"Mailchimp", "SMS"});
  CHECK(see("utm_source=mailchimp&utm_medium=push").channel == "Mobile Push Notifications");
  CHECK(see("utm_source=spotify&utm_medium=email").channel == "Email");
  CHECK(see("utm_source=aliexpress&utm_medium=affiliate").channel == "Affiliates");
  CHECK(see("utm_source=kagi&utm_medium=audio").channel == "Audio");
  CHECK(see("utm_source=substack").channel == "Organic Social");
  CHECK(see("utm_source=substack&utm_medium=referral").channel == "Organic Social");
  CHECK(see("utm_source=substack&utm_medium=paid_social").channel == "Paid Social");
  // Sources that other services also know get the same channel as in those services.
  CHECK(see("utm_source=facebook&utm_medium=email").channel == "Organic Social");
  CHECK(see("utm_source=gmail&utm_medium=sms").channel == "Email");
  CHECK(see("utm_source=meta&utm_medium=paid_social") == Seen{"Facebook", "Paid Social"});
  CHECK(see("utm_source=meta&utm_medium=email") == Seen{"Facebook", "Organic Social"});
  CHECK(see("utm_source=meta") == Seen{"Facebook", "Organic Social"});
  for (const auto& source : known_sources()) {
    if (!source.is_ours || source.kind == SourceKind::kOther) continue;
    INFO(source.name);
    const auto tag = "utm_source=" + percent_encode(source.name);
    CHECK(see(tag + "&utm_medium=newsletter").channel == "Email");
  }
}

TEST_CASE("source: assistants and sites of GA4's list get its channels", "[daemon][source]") {
  for (const std::string host : {"yuanbao.tencent.com", "aistudio.google.com", "chatglm.cn"}) {
    CHECK(see("", host).channel == "AI Assistants");
  }
  for (const std::string host : {"blog.naver.com/x", "tripadvisor.com", "groups.google.com/g/a",
                                 "de.tripadvisor.com", "yelp.co.uk", "tinyurl.com"}) {
    CHECK(see("", host).channel == "Organic Social");
  }
  // A single letter does not identify a source.
  CHECK(see("ref=x") == Seen{"x", "Referral"});
  CHECK(see("ref=x.com").source == "Twitter");
  CHECK(see("", "x.com/a").source == "Twitter");
}

TEST_CASE("source: a list identifies advertisements, never the end of a tag", "[daemon][source]") {
  for (const auto& row : advertisement_tags()) {
    REQUIRE(source_of_tag(row.source) != nullptr);
    for (const auto tag : split(row.tags, ' ')) {
      for (const char separator : {'-', '_', ' '}) {
        std::string spelled(tag);
        std::replace(spelled.begin(), spelled.end(), '-', separator);
        spelled.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(spelled[0])));
        INFO(spelled);
        CHECK(source_of_tag(spelled) == nullptr);  // no tag is in both tables
        const auto seen = see("utm_source=" + percent_encode(spelled));
        CHECK(seen.source == row.source);
        CHECK(seen.channel.starts_with("Paid "));
      }
    }
  }
  for (const auto& row : advertisement_hosts()) {
    for (const auto host : split(row.hosts, ' ')) {
      CHECK(see("", "tpc." + std::string(host)) == Seen{std::string(row.source), "Paid Search"});
    }
  }
  for (const std::string tag : {"threads", "goodreads", "leads", "downloads", "nomads", "ipad"}) {
    CHECK_FALSE(see("utm_source=" + tag).channel.starts_with("Paid"));
  }
}

TEST_CASE("source: newsletters are Email in every spelling", "[daemon][source]") {
  for (const std::string word :
       {"newsletter", "Newsletter-UK", "weekly-email", "e_mail", "E-Mail"}) {
    CHECK(see("utm_source=" + word).channel == "Email");
    CHECK(see("utm_medium=" + word).channel == "Email");
  }
  CHECK(see("", "newsletter.blog.example").channel == "Referral");
}

TEST_CASE("source: a click id becomes the medium if no medium is given", "[daemon][source]") {
  const auto medium = [](const std::string& query, const std::string& referrer = "") {
    return std::string(medium_of_click(find_source(extract_utm(query), referrer, query), query));
  };
  CHECK(medium("gclid=x", "google.com") == "(gclid)");
  CHECK(medium("gclid=x") == "(gclid)");
  CHECK(medium("msclkid=x", "bing.com") == "(msclkid)");
  CHECK(medium("gclid=x", "bing.com").empty());
  CHECK(medium("gclid=x&utm_source=facebook").empty());
  CHECK(medium("fbclid=x", "facebook.com").empty());
  CHECK(see("utm_source=google&utm_medium=(gclid)").channel == "Paid Search");
}

TEST_CASE("source: referrers and tags of 2026 get the expected source and channel",
          "[daemon][source]") {
  std::ifstream file(in_checkout("tests/data/attribution-cases.tsv"));
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("referrer\t")) continue;
    const auto fields = split(line, '\t');
    REQUIRE(fields.size() == 4);
    INFO(line);
    const auto seen = see(std::string(fields[1]), stored_referrer(fields[0], "x.example"));
    if (!fields[2].empty()) CHECK(seen.source == fields[2]);
    if (!fields[3].empty()) CHECK(seen.channel == fields[3]);
    ++cases;
  }
  CHECK(cases > 140);
}

TEST_CASE("source: hosted sites and other services of a search engine do not count as search",
          "[daemon][source]") {
  for (const auto* host :
       {"google.github.io", "zalando.github.io", "google.vercel.app", "google.notld",
        "accounts.google.com", "cloud.google.com", "blog.naver.com"}) {
    INFO(host);
    const auto* source = source_of_host(host);
    CHECK((source == nullptr || source->kind != SourceKind::kSearch));
  }
  CHECK(source_of_host("www.google.co.jp")->name == "Google");
  CHECK(source_of_host("uk.search.yahoo.com")->kind == SourceKind::kSearch);
}

TEST_CASE("source: tags and click ids identify advertisements", "[daemon][source]") {
  CHECK(see("utm_source=facebook-ads") == Seen{"Facebook", "Paid Social"});
  CHECK(see("utm_source=adwords") == Seen{"Google", "Paid Search"});
  CHECK(see("utm_source=facebook-ads&utm_medium=email").channel == "Paid Social");
  CHECK(see("gbraid=x", "google.com") == Seen{"Google", "Paid Search"});
  CHECK(see("utm_campaign=eshop-sale").channel == "Organic Shopping");
  CHECK(see("utm_campaign=workshop-sale").channel == "Direct");
  CHECK(see("utm_source=https://linkedin.com/") == Seen{"LinkedIn", "Organic Social"});
}

}  // namespace analytics::test::source_test
