#include "daemon/cluster/marks.h"

#include <algorithm>
#include <map>

#include "common/io/failpoint.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "daemon/cluster/sql.h"

namespace analytics::cluster {
namespace {

void add_row(NativeBlock& to, const Mark& mark) {
  to << mark.node << mark.version << std::string_view(mark.name) << std::string_view(mark.cluster)
     << static_cast<std::uint64_t>(mark.event)
     << std::int64_t{mark.up_to.time_since_epoch().count()}
     << static_cast<std::uint64_t>(mark.looked_since.time_since_epoch().count())
     << static_cast<std::uint8_t>(mark.has_left ? 1 : 0)
     << static_cast<std::uint64_t>(mark.removed_to.time_since_epoch().count());
}

Status store(ClickHouse& server, const NativeBlock& marks) { return server.insert("marks", marks); }

/// Returns true if the node has checked for lost rows since ClickHouse was started. If
/// ClickHouse's machine fails, confirmed rows may be lost, which the node then sends again.
bool has_looked(const Mark& mark, const Marks& among) {
  return mark.looked_since + kStartsDiffer >= among.server_started;
}

bool is_behind(const Mark& mark, const Marks& among) {
  const auto is_fresh = failpoint("cluster_in_a_hurry") ? std::chrono::seconds(4) : kMarkIsFresh;
  return mark.up_to + is_fresh < among.now || !has_looked(mark, among);
}

}  // namespace

std::string Marks::of_nodes() const {
  std::vector<NodeNumber> all;
  for (const auto& mark : nodes) all.push_back(mark.node);
  return all.empty() ? "0" : node_in(all);
}

std::vector<NodeNumber> Marks::left() const {
  std::vector<NodeNumber> gone;
  for (const auto& mark : nodes) {
    if (mark.has_left) gone.push_back(mark.node);
  }
  return gone;
}

std::string Marks::of_events() const {
  std::string any;
  for (const auto& mark : nodes) {
    any += (any.empty() ? "((" : " OR (") + of_node(mark.node);
    // A node that has left may have shipped more than its mark says.
    any += mark.has_left ? ")" : " AND id <= " + std::to_string(mark.event) + ")";
  }
  return any.empty() ? "0" : any + ")";
}

std::map<std::string, const Mark*> Marks::present() const {
  std::map<std::string, const Mark*> present;
  for (const auto& node : registered) {
    const bool has_mark = std::any_of(nodes.begin(), nodes.end(), [&](const Mark& mark) {
      return mark.node == node.number && !mark.has_left;
    });
    if (!has_mark) present[node.name] = nullptr;
  }
  for (const auto& mark : nodes) {
    if (mark.has_left) continue;
    // Skips a mark that another database has stored under a registered node's name: a former
    // database of that node, or one that could not join because the name was taken.
    const bool is_of_other = is_registered(&RegisteredNode::name, mark.name) &&
                             !is_registered(&RegisteredNode::number, mark.node);
    if (is_of_other) continue;
    // Without a registry, a node with a new journal has two marks; the newer mark counts.
    const auto*& known = present[mark.name];
    if (known == nullptr || known->up_to < mark.up_to) known = &mark;
  }
  return present;
}

std::vector<std::string> Marks::behind() const {
  std::vector<std::string> names;
  for (const auto& [name, mark] : present()) {
    if (mark == nullptr || is_behind(*mark, *this)) names.push_back(name);
  }
  return names;
}

bool Marks::may_lack(const Marks& earlier) const {
  if (server_started > earlier.server_started + kStartsDiffer) return true;
  return std::any_of(earlier.nodes.begin(), earlier.nodes.end(), [&](const Mark& before) {
    if (before.has_left || !has_looked(before, earlier)) return false;
    return std::none_of(nodes.begin(), nodes.end(), [&](const Mark& mark) {
      return mark.node == before.node && has_looked(mark, *this);
    });
  });
}

std::optional<UnixMillis> Marks::up_to() const {
  std::optional<UnixMillis> least;
  for (const auto& [name, mark] : present()) {
    if (mark == nullptr || is_behind(*mark, *this)) continue;
    least = std::min(least.value_or(mark->up_to), mark->up_to);
  }
  return least;
}

Status store_mark(ClickHouse& server, const Mark& mark) {
  NativeBlock block(mark_columns());
  add_row(block, mark);
  return store(server, block);
}

std::string cluster_of(const std::string& secret) {
  const auto digest = digest_of({"the nodes that share a registry", secret});
  return to_hex(digest.data(), digest.size() / 2);
}

Result<Marks> read_marks(ClickHouse& server, const std::string& cluster) {
  const auto rows = TRY(server.ask_rows(
      "SELECT toUInt32(now()), toUInt32(now()) - toUInt64(uptime()), node, max(version),"
      " argMax(event, version), argMax(up_to, version), argMax(looked_since, version),"
      " argMax(has_left, version), argMax(removed_to, version), argMax(name, version)"
      " FROM marks WHERE cluster = '" +
          cluster + "' GROUP BY node ORDER BY node",
      9, 1));
  Marks marks;
  for (const auto& row : rows) {
    const auto& [numbers, texts] = row;
    marks.now = row.seconds(0);
    marks.server_started = row.seconds(1);
    marks.nodes.push_back({.node = static_cast<NodeNumber>(numbers[2]),
                           .version = static_cast<std::uint64_t>(numbers[3]),
                           .name = texts[0],
                           .cluster = cluster,
                           .event = numbers[4],
                           .up_to = UnixMillis(std::chrono::milliseconds(numbers[5])),
                           .looked_since = row.seconds(6),
                           .removed_to = row.seconds(8),
                           .has_left = numbers[7] != 0});
  }
  return marks;
}

Status leave_mark(ClickHouse& server, Mark mark) {
  // A node that has never stored a mark, or has left already, needs no new mark.
  if (mark.version == 0 || mark.has_left) return {};
  ++mark.version;
  mark.has_left = true;
  return store_mark(server, mark);
}

Status leave_marks(ClickHouse& server, const std::string& cluster, const std::string& name) {
  const auto marks = TRY(read_marks(server, cluster));
  for (const auto& mark : marks.nodes) {
    if (mark.name != name) continue;
    TRY(leave_mark(server, mark));
  }
  return {};
}

}  // namespace analytics::cluster
