#include "daemon/ingest/client_ip.h"

#include "tests/support/catch.h"

namespace analytics::test::client_ip_test {

TEST_CASE("client address: without trusted proxies, the first valid address is used",
          "[client_ip]") {
  CHECK(client_address("junk, 1.2.3.4:55, 5.6.7.8", "9.9.9.9", {}).address == "1.2.3.4");
  CHECK(client_address("[2001:db8::1]:443", "9.9.9.9", {}).address == "2001:db8::1");
  CHECK(client_address("::ffff:1.2.3.4", "9.9.9.9", {}).address == "1.2.3.4");
  CHECK(client_address("fe80::1%eth0", "9.9.9.9", {}).address == "fe80::1");
  CHECK(client_address("unknown", "9.9.9.9", {}).address == "9.9.9.9");
  CHECK(!client_address("", "9.9.9.9", {}).forwarded);
}

TEST_CASE("client address: a spoofed left end changes nothing behind trusted proxies",
          "[client_ip]") {
  const std::vector<Network> trusted{*parse_network("10.0.0.0/8"), *parse_network("127.0.0.1")};
  CHECK(client_address("6.6.6.6, 1.2.3.4, 10.1.1.1", "127.0.0.1", trusted).address == "1.2.3.4");
  CHECK(client_address("6.6.6.6", "8.8.8.8", trusted).address == "8.8.8.8");
  CHECK(client_address("10.0.0.7", "127.0.0.1", trusted).address == "10.0.0.7");
  CHECK(!parse_network("1.2.3.4/33"));
  CHECK(!parse_network("nonsense"));
}

TEST_CASE("client_ip: presets expand to their networks", "[client_ip]") {
  const auto has = [](const std::string& preset, const std::string& address) {
    const auto networks = parse_networks(preset);
    REQUIRE(networks);
    return std::any_of(networks->begin(), networks->end(), [&](const Network& network) {
      return network.contains(*parse_address(address));
    });
  };
  CHECK(has("loopback", "127.9.9.9"));
  CHECK(has("loopback", "::1"));
  CHECK(!has("loopback", "10.0.0.1"));
  CHECK(has("private", "172.31.255.255"));
  CHECK(!has("private", "172.32.0.1"));
  CHECK(has("private", "fd12::1"));
  CHECK(has("private", "100.127.255.255"));
  CHECK(!has("private", "100.128.0.1"));
  CHECK(has("cloudflare", "172.71.255.255"));
  CHECK(!has("cloudflare", "172.72.0.1"));
  CHECK(has("cloudflare", "2606:4700::1"));
  CHECK(has("::ffff:10.0.0.0/104", "10.1.2.3"));
  CHECK(!parse_networks("public"));
}

TEST_CASE("client_ip: clients are grouped by the network of a single client", "[client_ip]") {
  CHECK(client_group("203.0.113.5") == "203.0.113.5");
  CHECK(client_group("64:ff9b::203.0.113.5") == "203.0.113.5");
  CHECK(client_group("::ffff:203.0.113.5") == "203.0.113.5");
  CHECK(client_group("2001:db8:1:2:3::4") == "2001:db8:1:2::");
  const std::vector proxies{*parse_network("192.0.2.0/24")};
  CHECK(limited_peer("203.0.113.5", proxies) == "203.0.113.5");
  CHECK(limited_peer("192.0.2.5", proxies) == std::nullopt);
  CHECK(limited_peer("127.0.0.1", {}) == std::nullopt);
  CHECK(client_network("2001:db8:1:2:3::4") == "2001:db8:1::/48");
  CHECK(client_network("203.0.113.5") == std::nullopt);
  CHECK(client_network("::ffff:203.0.113.5") == std::nullopt);
  CHECK(client_network("unix") == std::nullopt);
}

}  // namespace analytics::test::client_ip_test
