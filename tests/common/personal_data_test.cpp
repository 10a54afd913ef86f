#include "common/text/personal_data.h"
#include "common/text/user_agent_text.h"

#include "tests/support/catch.h"

namespace analytics::test::personal_data_test {

TEST_CASE("personal data: an e-mail address is found anywhere in a text", "[text]") {
  for (const auto* text : {"a@b.de",
                           " Jane.Doe@mail.example.org ",
                           "mailto:a@b.de",
                           "Jane <jane@b.de>",
                           "a@b.de;c@d.de",
                           "to=a+b@c.de&x=1",
                           "https://a.de/?e=jane%40b.de&x=1",
                           "/u/jane@b.de.",
                           "/users/jane@b.org.json",
                           "bob@b.org.1",
                           "?u=jane%2540b.de",
                           "jane%40m%C3%BCller.de",
                           "jane@b%2Ede",
                           "jane@2x.de",
                           "o'brien@b.de",
                           "x@jane@b.de",
                           "\"ada l\"@b.de",
                           "ada＠b.de",
                           "ada@b。de",
                           "jane%252540b.de",
                           "/u/ada%EF%BC%A0b.de",
                           "/u/%22ada%20l%22@b.de",
                           "ada@b%E3%80%82de"}) {
    CHECK(has_email(text));
  }
  for (const auto* text : {"",
                           "@",
                           "@b.de",
                           "a@b",
                           "a@b.",
                           "a @c.de",
                           "a@@b.de",
                           "@handle",
                           "https://a.de/@user.name",
                           "/logo@2x.png",
                           "react@18.2.0",
                           "%40b.de",
                           "logo@1.5x.png",
                           "logo@2x.min.png",
                           "/n/vue@next.js",
                           "/npm/foo@1.2.3-beta.rc",
                           "/photo@3x.heic",
                           "/@ada@mastodon.example",
                           "/%40ada@b.de",
                           "a@b.c",
                           "%",
                           "a@%"}) {
    CHECK_FALSE(has_email(text));
  }
}

TEST_CASE("personal data: an e-mail address in a URL is redacted, and the host stays", "[text]") {
  const auto redacted = [](std::string url) {
    const auto found = redact_url(url);
    return std::to_string(found) + " " + url;
  };
  CHECK(redacted("https://jane:pw@b.de/x") == "1 https://b.de/x");
  CHECK(redacted("https://jane%40b.de/x") == "1 https://b.de/x");
  CHECK(redacted("https://jane%40:80/x") == "1 https://(redacted):80/x");
  CHECK(redacted("https://jane%40") == "1 https://(redacted)");
  CHECK(redacted("https://a.de?e=jane@b.de") == "1 https://a.de?e=(redacted)");
  CHECK(redacted("news.example/u/jane@b.de?next=https://x.de/") ==
        "1 news.example/u/(redacted)?next=https://x.de/");
  CHECK(redacted("/go?to=%2Fu%2Fo'brien%40b.de%26x") == "1 /go?to=%2Fu%2F(redacted)%26x");
  CHECK(redacted("https://a.de/u/jane.roe@b.de/profile?e=j%2Bx%40c.org&y=1#z") ==
        "2 https://a.de/u/(redacted)/profile?e=(redacted)&y=1#z");
  CHECK(redacted("/u/jane@b.de") == "1 /u/(redacted)");
  CHECK(redacted("https://a.de") == "0 https://a.de");
}

TEST_CASE("personal data: an IP address is redacted if it is a separate word", "[text]") {
  const auto redacted = [](std::string text) {
    const auto found = redact(text);
    return std::to_string(found) + " " + text;
  };
  CHECK(redacted("81.2.69.142") == "1 (redacted)");
  CHECK(redacted("from 81.2.69.142:443, via [2a02:2e0:3fe::1]") ==
        "2 from (redacted), via [(redacted)]");
  CHECK(redacted("ip:81.2.69.142") == "1 ip:(redacted)");
  CHECK(redacted("a=::ffff:81.2.69.142.") == "1 a=(redacted)");
  CHECK(redacted("81%2E2%2E69%2E142") == "1 (redacted)");
  CHECK(redacted("来自81.2.69.142的访问") == "1 来自(redacted)的访问");
  CHECK(redacted("“81.2.69.142”") == "1 “(redacted)”");
  CHECK(redacted("http://192.0.2.1/x?y=81.2.69.142") == "1 http://192.0.2.1/x?y=(redacted)");
  CHECK(redacted("a_2001:db8:1a69:beef::77_b") == "1 a_(redacted)_b");
  CHECK(redacted("2001:db8::1x, 2001:db8::") == "2 (redacted)x, (redacted)");
  for (const std::string text :
       {"v1.2.3.4", "app_1.2.3.4-x", "app-1.2.3.4.zip", "1.2.3", "1.2.3.4-beta", "12:30:45",
        "std::chrono::d", "a::b", "Chrome 120.0.0.0", "10.0.19045.1", "1.2.3.400", "::", "beef",
        "dead::beef", "bad::cafe()"}) {
    CHECK(redacted(text) == "0 " + text);
  }
  std::string version = "10.1.2.3";
  CHECK(redact(version, IpAddresses::kKeepV4) == 0);
  version = "2a02:2e0:3fe::1";
  CHECK(redact(version, IpAddresses::kKeepV4) == 1);
  std::string url = "https://192.0.2.1:80/ip/81.2.69.142?x=81.2.69.142#81.2.69.142";
  CHECK(redact_url(url) == 3);
  CHECK(url == "https://192.0.2.1:80/ip/(redacted)?x=(redacted)#(redacted)");
}

TEST_CASE("personal data: a text that contains a User-Agent is redacted as a whole", "[text]") {
  const std::string firefox =
      "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0";
  const std::string encoded = "Mozilla%2F5.0%20%28X11%3B+Linux%20x86_64%29";
  for (const auto& agent :
       {firefox, "UA: " + firefox, encoded, std::string("Dalvik/2.1.0 (Linux; U; Android 14)"),
        std::string("5.0 (Windows NT 10.0) AppleWebKit/537.36"), std::string("Opera/9.80 (X11)"),
        std::string("News/7 CFNetwork/1410.0.3 Darwin/22.6.0"), std::string("curl/8.5.0 "),
        std::string("okhttp/4.9.3"), std::string("Java/17.0.2"),
        std::string("Apache-HttpClient/4.5.13 (Java/11.0.2)"),
        std::string("Instagram 301.0.0.27.111 (iPhone14,5; iOS 16_6; de_DE)"),
        std::string("Links (2.25; Linux 6.1 x86_64"),
        std::string("SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 UP.Browser/6.2.3.3.c.1.101 (GUI)")}) {
    auto text = agent;
    INFO(agent);
    CHECK(redact(text) == 1);
    CHECK(text == "(redacted)");
  }
  for (const std::string text :
       {"GNU/Linux", "page/1", "Mozilla", "and/or 5 (x)", "Chrome 120", "24/7 (phone)",
        "TCP/443 (https)", "chapter/1.2", "For Linux (deb; rpm)", "Download (Windows; 64-bit)",
        "MyApp 2.1 (Windows; x64)", "safari/3-days", "java/8-features", "See docs/1.2 (old)",
        "Plan/2 (yearly)", "Step/1 of/3", "Download/2024 (pdf)"}) {
    auto same = text;
    CHECK(redact(same) == 0);
    CHECK(same == text);
  }
  auto url = "https://a.de/x?utm_content=" + encoded + "&b=1#c";
  CHECK(redact_url(url) == 1);
  CHECK(url == "https://a.de/x?utm_content=(redacted)&b=1#c");
  url = "https://a.de/" + encoded + "/x";
  CHECK(redact_url(url) == 1);
  CHECK(url == "https://a.de/(redacted)");
  for (const std::string page :
       {"https://a.de/2024/05/my-post%20(part%202)", "https://a.de/uploads/2023%20(1).pdf",
        "https://a.de/blog/2+(draft)", "https://a.de/docs/Mozilla/5/guide/x"}) {
    url = page;
    CHECK(redact_url(url) == 0);
    CHECK(url == page);
  }
  url = "https://a.de/?ua=Dalvik/2.1.0%20%28Linux%3B%20U%3B%20Android%2014%29";
  CHECK(redact_url(url) == 1);
  CHECK(url == "https://a.de/?ua=(redacted)");
  CHECK(begins_with_product("curl/8.5.0"));
  CHECK_FALSE(begins_with_product("GNU/Linux"));
}

TEST_CASE("personal data: hostile texts are searched in linear time", "[text]") {
  std::string url = "https://a.de/?";
  // An algorithm with quadratic time would take minutes.
  for (int i = 0; i < 200'000; ++i) url += "a%40";
  CHECK_FALSE(has_email(url));
  CHECK(redact_url(url) == 0);
  std::string many = "/";
  for (int i = 0; i < 100'000; ++i) many += "a@b.cc&";
  CHECK(redact_url(many) == 100'000);
  std::string numbers;
  for (int i = 0; i < 100'000; ++i) numbers += "1.2.3.4:x";
  CHECK(redact(numbers) == 0);
  std::string colons(200'000, ':');
  CHECK(redact(colons) == 0);
  for (const std::string part : {"(", "(;", "\"@", "%25", "_2a02:", "a/1.2 "}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += part;
    (void)redact(text);
  }
}

}  // namespace analytics::test::personal_data_test
