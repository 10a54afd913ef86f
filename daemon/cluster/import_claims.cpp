#include "daemon/cluster/import_claims.h"

#include <algorithm>
#include <chrono>

namespace analytics::cluster {
namespace {

constexpr std::chrono::seconds kLongestWait{5};

}  // namespace

Status ImportClaims::claim(const ImportName& import, const std::set<SiteId>& sites) {
  Questions questions;
  {
    const std::lock_guard lock(mutex_);
    for (const auto site : sites) {
      if (ours_.contains({site, import.name})) continue;
      questions.push_back(std::make_shared<Question>(Question{site, import, true}));
    }
  }
  return questions.empty() ? Status() : ask(questions);
}

Status ImportClaims::require_ours(SiteId site, const std::string& name_or_log) {
  return ask({std::make_shared<Question>(Question{site, {name_or_log, {}}, false})});
}

void ImportClaims::release(SiteId site, const std::string& name_or_log) {
  {
    const std::lock_guard lock(mutex_);
    // The name may be that of a rotated log, whose imports are unknown here. So all known claims
    // are discarded, and later calls ask the registry.
    ours_.clear();
    released_.insert({site, name_or_log});
  }
  wake_();
}

Status ImportClaims::ask(const Questions& questions) {
  std::unique_lock lock(mutex_);
  open_.insert(open_.end(), questions.begin(), questions.end());
  const auto failures = failures_;
  wake_();
  const auto are_answered = [&] {
    return std::all_of(questions.begin(), questions.end(),
                       [](const auto& question) { return question->is_answered; });
  };
  answered_.wait_for(lock, kLongestWait,
                     [&] { return has_ended_ || failures_ != failures || are_answered(); });
  std::erase_if(open_, [&](const auto& each) {
    return std::find(questions.begin(), questions.end(), each) != questions.end();
  });
  for (const auto& question : questions) {
    if (question->problem) return fail(*question->problem);
    if (question->elsewhere.empty()) continue;
    return fail(ErrorCode::kImportElsewhere, "The import " + question->import.name +
                                                 " belongs to the node " + question->elsewhere +
                                                 " of the cluster: ask that node.");
  }
  if (are_answered()) return {};
  return fail(ErrorCode::kRegistryStale,
              "The cluster's registry cannot say now which node has the import; try again.");
}

void ImportClaims::answer(Question& question, const Result<std::string>& owner) {
  const std::lock_guard lock(mutex_);
  question.is_answered = true;
  if (!owner) {
    // No node can own an import whose name the registry refuses. The names of claims are valid, so
    // a refused claim is a fault of the registry, such as a missing right.
    if (question.is_claim) {
      question.problem = {ErrorCode::kInternal,
                          "The cluster's registry refused the import.",
                          {},
                          owner.error().message};
    }
    return;
  }
  if (question.is_claim && *owner == node_) ours_.insert({question.site, question.import.name});
  if (*owner != node_) question.elsewhere = *owner;
}

Status ImportClaims::recheck(RegistryLog& log) {
  Questions questions;
  std::set<std::pair<SiteId, std::string>> released;
  {
    const std::lock_guard lock(mutex_);
    questions.swap(open_);
    released = released_;
  }
  for (const auto& each : released) {
    TRY(log.release_import(node_, each.first, each.second));
    const std::lock_guard lock(mutex_);
    released_.erase(each);
    // The import may have been claimed while it was released, so no known claim is certain.
    ours_.clear();
  }
  for (const auto& question : questions) {
    const auto owner = question->is_claim
                           ? log.claim_import(node_, question->site, question->import)
                           : log.owner_of(question->site, question->import.name);
    if (!owner && owner.error().code != ErrorCode::kInvalidParameter) return fail(owner.error());
    answer(*question, owner);
  }
  answered_.notify_all();
  return {};
}

void ImportClaims::doubt() {
  const std::lock_guard lock(mutex_);
  ours_.clear();
}

void ImportClaims::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  answered_.notify_all();
}

void ImportClaims::give_up() {
  const std::lock_guard lock(mutex_);
  ++failures_;
  open_.clear();
  answered_.notify_all();
}

}  // namespace analytics::cluster
