// A mark is the row in which a node stores how far its events are shipped. The marks tell which
// nodes may be missing in an answer.
#include "daemon/cluster/marks.h"
#include "tests/cluster/shipped_store.h"

namespace analytics::test::marks_test {

TEST_CASE("reading: a node without a new mark is behind, until it has left", "[cluster]") {
  ClickHouseProcess process;
  ShippedStore node(process, "a");
  node.ship(kNow);  // creates the tables
  const std::atomic<bool> never{false};
  cluster::ClickHouse server({.url = process.url()}, never);
  const auto marks = [&] { return *cluster::read_marks(server, ""); };
  const auto now = marks().now;
  CHECK(marks().behind() == std::vector<std::string>{"a"});  // its last mark is too old
  CHECK(!marks().up_to());
  const auto started = marks().server_started;
  const auto mark = [&](cluster::NodeNumber number, const char* name, UnixSeconds up_to,
                        UnixSeconds looked_since) {
    REQUIRE(cluster::store_mark(server, {.node = number,
                                         .version = 1,
                                         .name = name,
                                         .event = 10,
                                         .up_to = up_to,
                                         .looked_since = looked_since}));
  };
  mark(1, "b", now - std::chrono::seconds(1), started);
  mark(2, "c", now, started);
  // Node d has not checked the server since the server's restart.
  mark(3, "d", now, started - std::chrono::hours(1));
  CHECK(marks().behind() == std::vector<std::string>{"a", "d"});
  CHECK(marks().up_to() == UnixMillis(now - std::chrono::seconds(1)));
  mark(4, "a", now, started);  // node a has begun a new journal with another id
  REQUIRE(cluster::leave_marks(server, "", "d"));
  CHECK(marks().behind().empty());
  mark(3, "d", now, started);  // an older mark does not count
  CHECK(marks().nodes.size() == 5);
  REQUIRE(cluster::leave_marks(server, "", "a"));
  CHECK(marks().behind().empty());
}

TEST_CASE("reading: a registered node is behind until it has a mark", "[cluster]") {
  cluster::Marks marks;
  marks.now = kNow;
  marks.server_started = kNow - std::chrono::hours(1);
  const auto mark = [&](cluster::NodeNumber number, const char* name, UnixSeconds up_to) {
    return cluster::Mark{
        .node = number, .name = name, .up_to = up_to, .looked_since = marks.server_started};
  };
  using Names = std::vector<std::string>;
  marks.registered = {{"a", 1}, {"b", 2}};
  CHECK(marks.behind() == Names{"a", "b"});
  CHECK_FALSE(marks.up_to());
  const auto a_moment_ago = kNow - std::chrono::seconds(1);
  marks.nodes = {mark(1, "a", a_moment_ago)};
  CHECK(marks.behind() == Names{"b"});
  CHECK(marks.up_to() == UnixMillis(a_moment_ago));
  // A mark counts by its node's number, not by its name. A node that the registry no longer lists
  // may still have events.
  marks.nodes.push_back(mark(3, "b", kNow));
  marks.nodes.push_back(mark(4, "c", kNow - std::chrono::hours(1)));
  CHECK(marks.behind() == Names{"b", "c"});
  marks.nodes.back().has_left = true;
  CHECK(marks.behind() == Names{"b"});
  CHECK(marks.up_to() == UnixMillis(a_moment_ago));
  marks.nodes.push_back(mark(2, "b", kNow - std::chrono::seconds(2)));
  CHECK(marks.behind().empty());
  CHECK(marks.up_to() == UnixMillis(kNow - std::chrono::seconds(2)));
  // A node may have changed its name at its last start.
  marks.registered.push_back({"e", 5});
  marks.registered.push_back({"f", 5});
  CHECK(marks.behind() == Names{"e", "f"});
  marks.nodes.push_back(mark(5, "f", kNow));
  CHECK(marks.behind().empty());
}

}  // namespace analytics::test::marks_test
