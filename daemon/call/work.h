#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/run/worker_pool.h"
#include "daemon/call/call.h"
#include "daemon/call/errors.h"

/// Runs the work of handlers on other threads: short reads on workers, queries that may take
/// seconds on analysts, changes on the writer thread. If too much work is queued, the client gets
/// 503.
namespace analytics::api {

/// Waits up to 15 seconds while a deletion empties SQLite's WAL, because an open read would keep
/// the WAL from being emptied. Call it before each read.
void pass_gate(const ReadContext& context);

/// Returns the lane (see WorkLane) for an account's work other than queries. Thread pools serve the
/// lanes of accounts in turn. If there is only one account, its work has no limits.
[[nodiscard]] WorkLane turn_of(const ReadContext& context, AccountId account);

/// Returns the name under which the memory ledger counts the work of this lane.
[[nodiscard]] std::string memory_owner(WorkLane lane);

/// Reads from the store and makes the response.
using Read = std::function<Result<http::Response>(store::Reader&)>;
/// Runs `read` on a worker thread and answers with its result. Accounts take turns.
void read_on_worker(const ReadContext& context, AccountId account, Read read,
                    http::Responder respond);

/// Reads from the store and calls the responder itself, now or later.
using Work = std::function<void(store::Reader&, const http::Responder&)>;
/// Run `work` on a worker, or on an analyst like read_stats(). Once `abandoned` becomes true, work
/// that is still queued does not start, and queries of running work end.
void work_on_worker(const ReadContext& context, AccountId account, Work work,
                    http::Responder respond);
void work_on_analyst(const ReadContext& context, WorkLane lane, Work work, http::Responder respond,
                     Abandoned abandoned = nullptr);

/// Runs `work`, which parses a bulk request and answers it, on an importer thread. Accounts take
/// turns. `failure`: message for the daemon's log if the work throws; destroying the work's
/// responder then answers 500. `respond`: used only if the work cannot start.
void work_on_importer(const ReadContext& context, AccountId account, std::string failure,
                      std::function<void()> work, const http::Responder& respond);

/// Return the lane (see WorkLane) for queries about a site, about all sites of an account, or from
/// a shared link of an account. A link runs one query at a time, because strangers can use it. An
/// account leaves at least one analyst to others; if there is only one account, it may use all.
[[nodiscard]] WorkLane lane_of_site(const ReadContext& context, SiteId site);
[[nodiscard]] WorkLane lane_of_account(const ReadContext& context, AccountId account);
[[nodiscard]] WorkLane lane_of_link(const ReadContext& context, AccountId account,
                                    std::string_view token);

/// Runs a query on an analyst thread and answers with its result. The query sees all events stored
/// before the call. If the client closes its connection, the query ends or does not start.
void read_stats(const ReadContext& context, WorkLane lane, Read read, http::Responder respond);

/// Runs a query like read_stats() for a shared page, which strangers may open: the answer does not
/// name the nodes of the cluster.
void read_page(const ReadContext& context, WorkLane lane, Read read, http::Responder respond);

/// Wraps `read` so that its response names, in a header field, the cluster nodes whose newest
/// events the response may lack. read_on_worker() and read_stats() do this already.
[[nodiscard]] Read naming_nodes(Read read);

/// Reads from the store and makes the next part of a response body.
using MakePart = std::function<http::BodyPart(store::Reader&)>;
/// Run `make` on a worker or, if it runs queries, on an analyst, and pass the part to `take`. If
/// too much work is queued, `take` gets kNothingYet and the server asks for the part again.
void make_part_on_worker(const ReadContext& context, AccountId account, MakePart make,
                         http::TakePart take);
void make_stats_part(const ReadContext& context, WorkLane lane, MakePart make, http::TakePart take);

/// Returns the callback for a change. It answers with `reply(value)` if the change succeeded, else
/// with the error.
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

/// Changes the registry (sites, links, goals and so on) and answers with `reply`, or the error. In
/// a cluster the change is shared with all nodes.
template <typename T, typename Change, typename Reply>
void change_registry(const ChangeContext& context, Change change, Reply reply,
                     http::Responder respond) {
  context.provisioning.change<T>(std::move(change),
                                 answer_with<T>(context, std::move(reply), std::move(respond)));
}

/// Changes data that each node keeps for itself, such as events, and answers with `reply`, or the
/// error.
template <typename T, typename Change, typename Reply>
void change_store(const ChangeContext& context, Change change, Reply reply,
                  http::Responder respond) {
  context.provisioning.change_here<T>(
      std::move(change), answer_with<T>(context, std::move(reply), std::move(respond)));
}

}  // namespace analytics::api
