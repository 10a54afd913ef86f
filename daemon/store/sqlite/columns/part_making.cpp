#include "daemon/store/sqlite/columns/part_making.h"

#include <algorithm>

#include "common/io/failpoint.h"
#include "common/text/local_time.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/cluster_removals.h"

namespace analytics::sqlite {
namespace {

using std::chrono::days;

// bytes of columns that a slice stores, which takes a few milliseconds
constexpr std::size_t kBytesOfSlice = 262'144;

/// Number of days before a site's oldest unsealed day that are sealed again with it, because they
/// may still have rows of visits that extended into the unsealed day.
constexpr days kLookBack{3};
/// Age at which a day is sealed, however few rows it has.
constexpr days kMonth{30};
// maximum number of sites that choose() checks in one call, for days to seal or parts to merge
constexpr int kSitesOfSlice = 50;

}  // namespace

PartMaking::PartMaking(Connection& connection, PartTable& table, RowSweep& sweep,
                       ChangeLog& changes, ImportLedger& ledger, const store::StoreLimits& limits)
    : connection_(connection),
      table_(table),
      sweep_(sweep),
      changes_(changes),
      ledger_(ledger),
      limits_(limits),
      worker_(connection.file()) {}

bool PartMaking::choose(UnixSeconds now) {
  if (job_ != nullptr || now == idle_at_) return false;
  chosen_at_ = now;
  to_seal_.reset();
  to_merge_.clear();
  today_ = std::chrono::floor<days>(now);
  to_copy_ = table_.next_due(now, limits_.part_quiet);
  if (!to_copy_) to_seal_ = next_sealable(now);
  const bool all_asked = !to_copy_ && !to_seal_ && seal_from_ == 0;
  if (all_asked) to_merge_ = next_mergeable();
  if (all_asked && !merge_after_) idle_at_ = now;
  return to_copy_ || to_seal_ || !to_merge_.empty();
}

std::vector<PartTable::SealedPart> PartMaking::next_mergeable() {
  for (auto looked = 0; merge_after_ && looked < kSitesOfSlice; ++looked) {
    merge_after_ = table_.next_with_sealed(*merge_after_);
    if (!merge_after_) break;
    auto parts = table_.mergeable(*merge_after_, limits_.most_events_of_part);
    if (!parts.empty()) return parts;
  }
  return {};
}

std::optional<SiteDays> PartMaking::next_sealable(UnixSeconds now) {
  // A journal, the store of a cluster's node, has no sealed parts, because it ships its rows to the
  // cluster. It only deletes ("forgets") old rows once the cluster has them.
  const bool forgets = changes_.is_on();
  const bool may_forget = limits_.journal_keep > std::chrono::seconds(0) && changes_.witness();
  const bool keeps_all = forgets ? !may_forget : limits_.keep_rows == store::StoreLimits::kForever;
  if (keeps_all) return std::nullopt;
  const auto kept = forgets ? limits_.journal_keep : limits_.keep_rows;
  // The current day, moved back by the time for which rows are kept.
  const auto today = std::chrono::floor<days>(now - kept);
  bool begins_again = seal_from_ != 0;
  for (auto looked = 0; looked < kSitesOfSlice; ++looked) {
    const auto next = table_.next_unsealed(seal_from_, today - days(1));
    seal_from_ = next ? next->first : 0;
    if (!next && !std::exchange(begins_again, false)) break;
    if (!next) continue;
    const auto site = next->first;
    const auto oldest = next->second;
    const auto& attempt = attempts_[site];
    if (today_ < attempt.not_before) continue;
    SiteDays sealed{site, oldest, std::min(oldest + attempt.span, today) - days(1)};
    if (const auto salt = first_salt(oldest, sealed.last)) sealed.last = *salt - days(1);
    while (oldest - sealed.first < kLookBack && !first_salt(sealed.first - days(1), sealed.first)) {
      sealed.first -= days(1);
    }
    if (forgets && !is_settled(sealed)) continue;
    may_grow_ = sealed.last == oldest + attempt.span - days(1);
    is_old_ = oldest + kMonth <= today;
    return sealed;
  }
  return std::nullopt;
}

/// Returns the first day from `first` to `last` that still has a salt, so that visits of the day
/// can still change; nullopt if no day has a salt.
std::optional<Days> PartMaking::first_salt(Days first, Days last) {
  Statement select(connection_, "SELECT min(day) FROM salts WHERE day >= ? AND day <= ?");
  const auto number = [](Days day) { return std::int64_t{day.time_since_epoch().count()}; };
  auto rows = select.query(number(first), number(last));
  const auto day = rows.next() ? rows.maybe_int64(0) : std::nullopt;
  return day ? std::optional(Days(days(*day))) : std::nullopt;
}

void PartMaking::begin(EventId last) {
  if (to_copy_) {
    table_.begin({to_copy_->first, to_copy_->second, to_copy_->second}, PartTable::Kind::kCopies);
    job_ = std::make_shared<CopyJob>(
        *to_copy_, CopyJob::Limits{limits_.part_events, limits_.most_events_of_part});
  } else if (!to_merge_.empty()) {
    std::vector<query::PartId> ids;
    for (const auto& part : to_merge_) ids.push_back(part.id);
    const auto& first = to_merge_.front();
    return rewrite(first, std::make_shared<RewriteJob>(first.site, std::move(ids)));
  } else {
    if (changes_.is_on() && !may_forget(*to_seal_)) {
      idle_at_ = chosen_at_;  // choose() looks for work again in a second
      return;
    }
    table_.begin(*to_seal_, PartTable::Kind::kSealed);
    const SealJob::Limits limits{is_old_ ? 1 : limits_.sealed_events, limits_.most_events_of_part,
                                 changes_.is_on() ? changes_.witness() : store::Witness()};
    sealing_ = std::make_shared<SealJob>(*to_seal_, last, limits);
    job_ = sealing_;
  }
  worker_.start(job_);
}

/// Returns true if the cluster has all events of these days whose visits are written, and can no
/// longer lose them.
bool PartMaking::is_settled(const SiteDays& days) {
  const auto spans = spans_of(connection_, days.site, days.range());
  const auto settled = changes_.settled();
  return std::all_of(spans.begin(), spans.end(),
                     [&](const auto& span) { return span.second <= settled; });
}

/// Returns true if the journal may delete the rows of these days: is_settled() is true, the cluster
/// also has all changes to the visits of the days, and no removal needs the rows.
bool PartMaking::may_forget(const SiteDays& days) {
  Statement removal(connection_, "SELECT 1 FROM removals WHERE site = ?");
  return !removal.query(days.site).next() &&
         !ClusterRemovals(connection_).has_work_here(days.site) && is_settled(days) &&
         !changes_.has_unshipped(days.site, days.range());
}

void PartMaking::rewrite(const PartTable::SealedPart& part, std::shared_ptr<RewriteJob> job) {
  const auto day = std::chrono::floor<days>(to_time(part.first_time));
  table_.begin({part.site, day, day}, PartTable::Kind::kRewrite);
  rewriting_ = std::move(job);
  job_ = rewriting_;
  worker_.start(job_);
}

bool PartMaking::is_due() const {
  if (job_ == nullptr) return false;
  const bool is_working = worker_.state() == PartWorker::State::kWorking;
  if (table_.is_touched()) return !is_working || !is_cancelled_;
  return !is_working || !columns_.empty();
}

bool PartMaking::is_to_move() const {
  if (!columns_.empty() || table_.is_touched() || worker_.state() != PartWorker::State::kDone) {
    return false;
  }
  return sealing_ != nullptr || (rewriting_ != nullptr && !rewriting_->is_unchanged());
}

void PartMaking::slice(bool may_move) {
  failpoint("in_parts");
  if (table_.is_touched()) {
    // The job may be waiting for ClickHouse, so the writer does not wait for the job.
    is_cancelled_ = true;
    worker_.cancel();
    if (worker_.state() != PartWorker::State::kWorking) end(false);
    return;
  }
  if (columns_.empty()) {
    switch (worker_.state()) {
      case PartWorker::State::kIdle:
      case PartWorker::State::kWorking: return;
      case PartWorker::State::kHasProduct: return take_part();
      case PartWorker::State::kDone:
        if (may_move || !is_to_move()) end(true);
        return;
      case PartWorker::State::kRefused: return end(false);
    }
  }
  for (std::size_t bytes = 0; bytes < kBytesOfSlice && !columns_.empty();) {
    const auto next = columns_.extract(columns_.begin());
    bytes += next.mapped().size();
    table_.add_column(part_, next.key(), next.mapped());
  }
}

void PartMaking::take_part() {
  auto part = worker_.take();
  part_ = table_.add_part(part);
  columns_ = std::move(part.columns);
}

void PartMaking::end(bool is_made) {
  if (!table_.is_touched() && !worker_.reason().empty()) {
    const bool forgets = sealing_ != nullptr && sealing_->forgets();
    refusal_ =
        (forgets ? "Old days were not forgotten: " : "Columns were not made: ") + worker_.reason();
  }
  worker_.reset();
  is_cancelled_ = false;
  columns_.clear();
  if (is_made) {
    finish();
  } else {
    if (sealing_ != nullptr) attempts_[sealing_->days().site].not_before = today_ + days(1);
    if (rewriting_ != nullptr && table_.is_touched()) look_again(rewriting_->site());
    table_.discard();
  }
  job_.reset();
  sealing_.reset();
  rewriting_.reset();
}

void PartMaking::finish() {
  failpoint("before_parts_live");
  if (rewriting_ != nullptr) {
    rewritten_ = rewriting_;
    if (rewriting_->is_unchanged()) return table_.discard();
    table_.finish_rewrite(rewriting_->parts());
    look_again(rewriting_->site());
  } else if (sealing_ != nullptr) {
    finish_sealing();
  } else {
    table_.finish_copies();
  }
}

void PartMaking::finish_sealing() {
  const auto& sealed = sealing_->days();
  // If there are too few events for a part, the next attempt takes more days or is made later.
  if (sealing_->events() == 0 && !is_old_) {
    auto& attempt = attempts_[sealed.site];
    if (may_grow_) {
      attempt.span *= 2;
    } else {
      attempt.not_before = today_ + days(1);
    }
    return table_.discard();
  }
  const bool forgets = sealing_->forgets();
  // While the job ran, a removal may have begun, or the node may have found that the cluster lacks
  // rows.
  if (forgets && !may_forget(sealed)) return table_.discard();
  attempts_.erase(sealed.site);
  look_again(sealed.site);
  table_.finish_sealed(forgets ? 0 : sealing_->events(), !sealing_->kept_visitors().empty());
  if (sealing_->events() > 0) {
    if (forgets) {
      changes_.note_forgotten(sealed.site, sealing_->forgotten());
      ledger_.mark_incomplete(sealing_->imports());
    }
    sweep_.begin(sealed, sealing_->last(), sealing_->kept_visitors());
    news_.push_back(
        (forgets ? "forgot what the cluster has of site " : "sealed site ") +
        std::to_string(sealed.site) + " from " + format_day(sealed.first) + " to " +
        format_day(sealed.last) + ": " + std::to_string(sealing_->events()) +
        " events; visitors that stay rows: " + std::to_string(sealing_->kept_visitors().size()));
  }
}

}  // namespace analytics::sqlite
