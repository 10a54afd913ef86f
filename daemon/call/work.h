#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/run/worker_pool.h"
#include "daemon/call/call.h"
#include "daemon/call/errors.h"

/// Runs parts of a call on other threads: short reads on workers, queries that may take seconds on
/// analysts, changes on the writer. Answers 503 if too much work is queued.
namespace analytics::api {

/// Waits before a read while deletions need the WAL empty, at most 15 seconds.
void pass_gate(const ReadContext& context);

/// Returns the lane of an account's work other than queries: accounts take turns. If there is only
/// one, its work has no limits.
[[nodiscard]] WorkLane turn_of(const ReadContext& context, AccountId account);

/// Returns the owner of memory that work of this lane takes, for the memory ledger.
[[nodiscard]] std::string memory_owner(WorkLane lane);

/// Runs `read` on a worker and answers with its result. Accounts take turns.
using Read = std::function<Result<http::Response>(store::Reader&)>;
void read_on_worker(const ReadContext& context, AccountId account, Read read,
                    http::Responder respond);

/// Runs work that answers by itself, now or later: on a worker, or on an analyst like read_stats().
/// Queries in the work end when `abandoned` becomes true; then work that waits does not begin.
using Work = std::function<void(store::Reader&, const http::Responder&)>;
void work_on_worker(const ReadContext& context, AccountId account, Work work,
                    http::Responder respond);
void work_on_analyst(const ReadContext& context, WorkLane lane, Work work, http::Responder respond,
                     Abandoned abandoned = nullptr);

/// Runs work that reads an import and answers by itself, on an importer. Accounts take turns.
/// `failure`: what the log says if the work throws; destroying its responder then answers 500.
void work_on_importer(const ReadContext& context, AccountId account, std::string failure,
                      std::function<void()> work, const http::Responder& respond);

/// Return the lane of queries of a site, of all sites of an account, or over a shared link of that
/// account. A link runs one query at a time, because strangers have it. An account leaves an
/// analyst to the others; if there is only one, it uses all.
[[nodiscard]] WorkLane lane_of_site(const ReadContext& context, SiteId site);
[[nodiscard]] WorkLane lane_of_account(const ReadContext& context, AccountId account);
[[nodiscard]] WorkLane lane_of_link(const ReadContext& context, AccountId account,
                                    std::string_view token);

/// Runs a query on an analyst, which sees all events stored before the call. The query ends, or
/// does not begin, if the client closes its connection meanwhile.
void read_stats(const ReadContext& context, WorkLane lane, Read read, http::Responder respond);

/// As read_stats(), for pages that strangers may open: the answer names no nodes.
void read_page(const ReadContext& context, WorkLane lane, Read read, http::Responder respond);

/// Wraps `read` so that its answer names the nodes whose newest events it may lack.
/// read_on_worker() and read_stats() wrap every read.
[[nodiscard]] Read naming_nodes(Read read);

/// Makes the next part of a body on a worker, or by a query on an analyst. If too much work is
/// queued, the server asks for the part again.
using MakePart = std::function<http::BodyPart(store::Reader&)>;
void make_part_on_worker(const ReadContext& context, AccountId account, MakePart make,
                         http::TakePart take);
void make_stats_part(const ReadContext& context, WorkLane lane, MakePart make, http::TakePart take);

/// Returns a callback that answers with `reply(value)` after a successful change, else with the
/// error.
template <typename T, typename Reply>
Provisioning::Done<T> answer_with(const CallContext& context, Reply reply,
                                  http::Responder respond) {
  return [&context, respond = std::move(respond), reply = std::move(reply)](Result<T> result) {
    if (result) {
      if constexpr (std::is_void_v<T>) {
        respond(reply());
      } else {
        respond(reply(*result));
      }
      return;
    }
    context.note_failure("a change failed", result.error());
    respond(error_response(result.error()));
  };
}

/// Makes a change of the registry, and answers.
template <typename T, typename Change, typename Reply>
void change_registry(const ChangeContext& context, Change change, Reply reply,
                     http::Responder respond) {
  context.provisioning.change<T>(std::move(change),
                                 answer_with<T>(context, std::move(reply), std::move(respond)));
}

/// Makes a change of data that only this store has, and answers.
template <typename T, typename Change, typename Reply>
void change_store(const ChangeContext& context, Change change, Reply reply,
                  http::Responder respond) {
  context.provisioning.change_here<T>(
      std::move(change), answer_with<T>(context, std::move(reply), std::move(respond)));
}

}  // namespace analytics::api
