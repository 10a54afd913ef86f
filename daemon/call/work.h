#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "daemon/call/call.h"
#include "daemon/call/errors.h"

/// Work of a call on other threads: on a worker what is read quickly, on an analyst what may take
/// seconds, on the writer what changes. All of it answers 503 when too much waits already.
namespace analytics::api {

/// Waits, not for long, while the log must be emptied of what was deleted: before each read.
void pass_gate(const Services& services);

/// Runs `read` on a worker and answers with what it returns.
using Read = std::function<Result<http::Response>(store::Reader&)>;
void read_on_worker(const Services& services, Read read, http::Responder respond);

/// Runs what answers itself, now or later: on a worker, or where read_stats() runs queries.
using Work = std::function<void(store::Reader&, const http::Responder&)>;
void work_on_worker(const Services& services, Work work, http::Responder respond);
void work_on_analyst(const Services& services, SiteId site, Work work, http::Responder respond);

/// Stands for the sites of an account in a query that is about all of them: slow ones of one
/// account leave an analyst to the others. No site has such an id.
[[nodiscard]] constexpr SiteId all_sites_of(AccountId account) { return -1 - account; }

/// Runs a query of that site on an analyst, who sees all events that were stored before. Slow
/// queries of one site leave an analyst to the others.
void read_stats(const Services& services, SiteId site, Read read, http::Responder respond);

/// As read_stats(), for strangers too: answers name no nodes.
void read_page(const Services& services, SiteId site, Read read, http::Responder respond);

/// Returns what reads as `read` does, and adds to the answer the names of the nodes whose newest
/// events it may lack. All but read_page() do that.
[[nodiscard]] Read naming_nodes(Read read);

/// Makes the next piece of a body: on a worker, or on an analyst for a query of that site. When too
/// much waits, the server asks for the piece again.
using MakePart = std::function<http::BodyPart(store::Reader&)>;
using TakePart = std::function<void(http::BodyPart)>;
void make_part_on_worker(const Services& services, MakePart make, TakePart take);
void make_stats_part(const Services& services, SiteId site, MakePart make, TakePart take);

/// Answers with what `reply` makes of a change's value, or with why there is none.
template <typename T, typename Reply>
Provisioning::Done<T> answer_with(const Services& services, Reply reply, http::Responder respond) {
  return [&services, respond = std::move(respond), reply = std::move(reply)](Result<T> result) {
    if (result) {
      if constexpr (std::is_void_v<T>) {
        respond(reply());
      } else {
        respond(reply(*result));
      }
      return;
    }
    services.note_failure("a change failed", result.error());
    respond(error_response(result.error()));
  };
}

/// Makes a change of what is provisioned, and answers.
template <typename T, typename Change, typename Reply>
void change_registry(const Services& services, Change change, Reply reply,
                     http::Responder respond) {
  services.provisioning.change<T>(std::move(change),
                                  answer_with<T>(services, std::move(reply), std::move(respond)));
}

/// Makes a change of what this store alone has, and answers.
template <typename T, typename Change, typename Reply>
void change_store(const Services& services, Change change, Reply reply, http::Responder respond) {
  services.provisioning.change_here<T>(
      std::move(change), answer_with<T>(services, std::move(reply), std::move(respond)));
}

}  // namespace analytics::api
