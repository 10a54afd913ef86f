// The part of RegistrySync that adds this node's changes to the registry.
#include <algorithm>
#include <chrono>
#include <thread>

#include "daemon/cluster/registry_sync.h"

namespace analytics::cluster {
namespace {

using std::chrono::seconds;
using store::RegistryStep;
using store::Revision;

// A change that revokes no access is answered after this time even if a node is slow to apply it.
constexpr seconds kWaitForOthers{1};
constexpr seconds kWaitBeyondLeases{5};
// A node counts as silent if it has not reported for a quarter of a lease.
constexpr int kSilencesPerLease = 4;
// Time limit for asking whether a change was added to the registry's log. A server that restarts
// refuses connections for a while.
constexpr seconds kAskFor{15};
constexpr std::chrono::milliseconds kBetweenAsking{250};

Error not_upgraded() {
  return {ErrorCode::kRegistryNotUpgraded,
          "This node runs a newer version than others. Until 'analyticsd cluster upgrade' is run,"
          " make changes on a node with the old version.",
          {}};
}

Error not_taken_over(const Error& error) {
  return {ErrorCode::kRegistryStale,
          "The change was made; this node will apply it shortly.",
          {},
          error.reason()};
}

}  // namespace

void RegistrySync::carry_out_orders() {
  for (;;) {
    Order order;
    {
      const std::lock_guard lock(mutex_);
      if (orders_.empty() || is_ending_) return;
      order = std::move(orders_.front());
      orders_.pop_front();
    }
    try {
      make_or_accept(order);
    } catch (const std::exception& error) {  // out of memory: the client still gets an answer
      if (order.done) order.done(fail(ErrorCode::kInternal, error.what()));
      throw;
    }
  }
}

void RegistrySync::make_or_accept(Order& order) {
  if (!order.draft) {
    order.done(accept_now());
  } else if (is_rewound_) {
    order.done(fail(rewound()));
  } else {
    make(order);
  }
}

void RegistrySync::refuse_orders(const Error& error) {
  std::deque<Order> refused;
  {
    const std::lock_guard lock(mutex_);
    refused.swap(orders_);
  }
  for (auto& order : refused) order.done(fail(error));
}

void RegistrySync::make(Order& order) {
  const auto step = draft(order.draft);
  if (!step) return order.done(fail(step.error()));
  if (!*step) return order.done({});
  if (auto added = add(**step); !added) return order.done(added);
  if (auto applied = apply({&**step, 1}); !applied) {
    return order.done(fail(not_taken_over(applied.error())));
  }
  const auto wait = (*step)->change.withdraws ? config_.lease + kWaitBeyondLeases : kWaitForOthers;
  made_.push_back({(*step)->revision.number, (*step)->change.withdraws, lease_now() + wait,
                   std::exchange(order.done, nullptr)});
}

/// Drafts a change and returns it as the next step of the registry's log. Keeps the registry
/// locked, so that the caller can add the step. If the change is empty, returns nullopt and unlocks
/// the registry.
Result<std::optional<RegistryStep>> RegistrySync::draft(const Draft& draft) {
  auto drafted = [&]() -> Result<std::optional<RegistryStep>> {
    const auto head = log_.lock();
    if (!head) return fail(not_now(head.error()));
    if (!log_.is_upgraded()) return fail(not_upgraded());
    const auto mine = own();
    if (!mine) return fail(not_now(mine.error()));
    if (mine->revision != *head) {
      if (auto caught_up = catch_up(mine->revision.value_or(Revision{})); !caught_up) {
        return fail(not_now(caught_up.error()));
      }
    }
    RegistryStep step{{.number = head->number + 1, .id = random_hash_key()}, {}};
    const auto make_draft = [&]() -> Status {
      step.change = TRY(draft());
      return {};
    };
    TRY(parts_.on_writer(make_draft));
    if (step.change.is_empty()) return std::nullopt;
    return step;
  }();
  if (!drafted || !*drafted) log_.unlock();
  return drafted;
}

/// Adds a step to the registry's log. If the answer is lost, asks the registry whether the step was
/// added.
Status RegistrySync::add(const RegistryStep& step) {
  const auto added = log_.add(step, config_.node);
  if (added) return {};
  const auto until = std::chrono::steady_clock::now() + kAskFor;
  for (bool is_first = true; !is_ending_ && std::chrono::steady_clock::now() < until;
       is_first = false) {
    if (!is_first) std::this_thread::sleep_for(kBetweenAsking);
    if (!open()) continue;
    const auto there = log_.has(step.revision);
    if (!there) continue;
    return *there ? Status()
                  : Status(fail({ErrorCode::kRegistryStale,
                                 "The cluster's registry did not take the change; try again.",
                                 {},
                                 added.error().reason()}));
  }
  return fail({ErrorCode::kRegistryStale,
               "The cluster's registry went away while it took the change: look whether it was"
               " made, or try again.",
               {},
               added.error().reason()});
}

/// Fails if a node of the cluster is silent. Every node assigns ids by itself, so a silent node may
/// have assigned ids that no other node knows.
Status RegistrySync::require_all_nodes() {
  const auto nodes = TRY(log_.nodes());
  for (const auto& node : nodes) {
    if (node.silent <= config_.lease / kSilencesPerLease) continue;
    return fail(ErrorCode::kInvalidParameter,
                "The node " + node.name +
                    " is silent, and may have given numbers that would be"
                    " given again: start it, or remove it with 'analyticsd cluster remove " +
                    node.name + "'.");
  }
  return {};
}

Status RegistrySync::accept_now() {
  if (!is_rewound_) {
    return fail(ErrorCode::kInvalidParameter, "The registry has lost nothing that this node has.");
  }
  TRY(require_all_nodes());
  auto accepted = [&]() -> Status {
    const auto head = TRY(log_.lock());
    if (head.number == 0) {
      return fail(
          ErrorCode::kInvalidParameter,
          "The registry is empty: restore it; or run 'analyticsd cluster leave' on one node,"
          " whose sites and keys become those of the cluster.");
    }
    auto mine = TRY(own());
    const auto nodes = TRY(log_.nodes());
    auto steps = TRY(log_.all_steps());
    RegistryStep step{{.number = head.number + 1, .id = random_hash_key()},
                      {.rows = {}, .spent = std::move(mine.spent)}};
    for (const auto& node : nodes) {
      for (const auto& [table, number] : node.spent) {
        auto& greatest = step.change.spent[table];
        greatest = std::max(greatest, number);
      }
    }
    TRY(log_.add(step, config_.node));
    steps.push_back(std::move(step));
    return replace(steps);
  }();
  if (!accepted) {
    log_.unlock();
    return accepted;
  }
  is_rewound_ = false;
  return follow();
}

void RegistrySync::answer_made() {
  if (made_.empty()) return;
  std::uint64_t confirmed = 0;
  if (server_.is_connected()) confirmed = log_.confirmed().value_or(0);
  const auto time = lease_now();
  std::vector<Made> waiting;
  for (auto& made : std::exchange(made_, {})) {
    if (made.revision > confirmed && time < made.give_up) {
      waiting.push_back(std::move(made));
      continue;
    }
    if (made.revision > confirmed) {
      parts_.log.warn("a change was made, and not every node has it yet",
                      {{"revision", std::to_string(made.revision)}});
    }
    made.done({});
  }
  made_ = std::move(waiting);
}

}  // namespace analytics::cluster
