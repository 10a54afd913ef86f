#include "daemon/cluster/block_shipper.h"

#include <set>

#include "common/run/secret.h"
#include "common/text/text.h"
#include "daemon/cluster/sql.h"
#include "daemon/cluster/tables.h"

namespace analytics::cluster {
namespace {

// Number of attempts to send a block per call of ship(). After these, ship() fails, so that the
// caller can do other work.
constexpr int kTries = 5;

std::string query_ids_of(NodeNumber node) { return "analytics-" + std::to_string(node) + "-"; }

/// Returns the SQL "FROM events WHERE …" that selects a node's block markers. Markers are the rows
/// of site 0, which the table's primary key finds quickly.
std::string markers_of(NodeNumber node) {
  return "FROM events WHERE site = 0 AND " + of_node(node);
}

}  // namespace

BlockShipper::BlockShipper(ClickHouse& server, const store::JournalId& journal,
                           bool may_be_under_way, Wait wait, ShippingTimes times)
    : server_(server),
      journal_(journal),
      node_(node_number(journal)),
      wait_(std::move(wait)),
      times_(times),
      is_settled_(!may_be_under_way) {}

Result<std::uint64_t> BlockShipper::server_time() {
  return server_.ask_number("SELECT toUInt32(now())");
}

Status BlockShipper::pause() {
  if (wait_(times_.poll)) return {};
  return fail(ErrorCode::kOverloaded, "The service is shutting down.");
}

Status BlockShipper::await_requests() {
  while (!is_settled_) {
    const auto now = TRY(server_time());
    if (!deadline_) deadline_ = now + static_cast<std::uint64_t>(times_.gate.count());
    if (now > *deadline_) {
      // An insert that passed the gate (see kArrivals) before its deadline may still be running.
      const auto running = TRY(
          server_.ask_number("SELECT count() FROM system.processes WHERE startsWith(query_id, '" +
                             query_ids_of(node_) + "')"));
      is_settled_ = running == 0;
    }
    if (is_settled_) break;
    TRY(pause());
  }
  return {};
}

Result<bool> BlockShipper::is_stored(const store::JournalBlock& block) {
  const auto answer = TRY(server_.ask("SELECT id, visit, props " + markers_of(node_) +
                                      " AND visitor = " + std::to_string(block.number) +
                                      " AND day = " + sql_day(block.month)));
  const auto found = trim(answer);
  if (found.empty()) return false;
  const auto expected =
      std::to_string(block.first) + '\t' + std::to_string(block.last) + '\t' + to_hex(journal_);
  if (found == expected) return true;
  return fail(ErrorCode::kRangeOverlap,
              "ClickHouse has another block " + std::to_string(block.number) + " of this journal.");
}

Status BlockShipper::ship(const store::JournalBlock& block, const NativeBlock& events) {
  for (int i = 0; i < kTries; ++i) {
    TRY(await_requests());
    const auto before = TRY(is_stored(block));
    if (before) return {};
    const auto now = TRY(server_time());
    deadline_ = now + static_cast<std::uint64_t>(times_.gate.count());
    is_settled_ = false;
    if (i > 0) ++repeats_;
    const auto query = query_ids_of(node_) + std::to_string(block.number) + "-" + random_base62(8);
    auto sent = server_.insert(
        kArrivals, events,
        ClickHouse::Gated{.query_id = query, .deadline = static_cast<std::uint32_t>(*deadline_)});
    // A successful reply means that the insert has ended, whether or not the gate (see kArrivals)
    // let its rows pass. An error reply proves nothing, because a proxy may have sent it.
    is_settled_ = sent.has_value();
    const auto after = is_stored(block);
    if (after && *after) {
      is_settled_ = true;
      return {};
    }
    if (!after && after.error().code != ErrorCode::kOverloaded) return fail(after.error());
    if (!sent && sent.error().code == ErrorCode::kInvalidParameter) return sent;
  }
  return fail(ErrorCode::kOverloaded, "ClickHouse does not confirm a block.");
}

Result<std::uint64_t> BlockShipper::newest() {
  const auto others = TRY(server_.ask_number("SELECT count() " + markers_of(node_) +
                                             " AND props != '" + to_hex(journal_) + "'"));
  if (others > 0) {
    return fail(ErrorCode::kRangeOverlap,
                "ClickHouse has blocks of another journal, whose id begins with the same 4 bytes.");
  }
  return server_.ask_number("SELECT max(visitor) " + markers_of(node_));
}

Result<std::vector<std::uint64_t>> BlockShipper::missing(std::uint64_t first, std::uint64_t last) {
  const auto in_range = markers_of(node_) + " AND visitor BETWEEN " + std::to_string(first) +
                        " AND " + std::to_string(last);
  const auto count = TRY(server_.ask_number("SELECT uniqExact(visitor) " + in_range));
  if (count == last - first + 1) return std::vector<std::uint64_t>();
  const auto rows = TRY(server_.ask_rows("SELECT DISTINCT visitor " + in_range, 1));
  std::set<std::uint64_t> there;
  for (const auto& row : rows) there.insert(static_cast<std::uint64_t>(row.numbers[0]));
  std::vector<std::uint64_t> missing;
  for (auto number = first; number <= last; ++number) {
    if (!there.contains(number)) missing.push_back(number);
  }
  return missing;
}

}  // namespace analytics::cluster
