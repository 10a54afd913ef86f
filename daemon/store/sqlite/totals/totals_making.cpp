#include "daemon/store/sqlite/totals/totals_making.h"

#include <algorithm>

#include "common/io/failpoint.h"
#include "common/text/local_time.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

using State = JobWorker<TotalsOfDays>::State;

// Maximum number of texts that a slice looks up, and of values that it stores. Either takes a few
// milliseconds.
constexpr std::size_t kTextsOfSlice = 200;
constexpr std::size_t kValuesOfSlice = 8'192;

constexpr std::chrono::minutes kRest{10};  // pause after totals could not be made

}  // namespace

TotalsMaking::TotalsMaking(Connection& connection, TotalsTable& table, Dictionary& dictionary)
    : connection_(connection), table_(table), dictionary_(dictionary), worker_(connection.file()) {}

void TotalsMaking::choose(const Site& site, UnixSeconds until) {
  const auto first = local_day(*site.first_event_at, site.timezone);
  making_.emplace(Making{site, until, table_.begin(site.id, first)});
}

void TotalsMaking::start() {
  const auto& site = making_->site;
  Statement select(connection_,
                   std::string("SELECT ") + kGoalColumns + " FROM goals WHERE site = ?");
  const DaySpan days{local_day(*site.first_event_at, site.timezone),
                     local_day(making_->until, site.timezone) - std::chrono::days(1)};
  making_->job = std::make_shared<TotalsJob>(site.id, days, site.timezone,
                                             read_all(select.query(site.id), read_goal));
  worker_.start(making_->job);
}

bool TotalsMaking::is_due() const {
  return making_ && making_->job != nullptr &&
         (must_discard_ || making_->taken || worker_.state() != State::kWorking);
}

bool TotalsMaking::is_wanted(const IsWanted& is_wanted) {
  if (must_discard_ || !table_.is_making(making_->batch)) return false;
  const auto site = find_site(connection_, making_->site.id);
  return site && site->timezone == making_->site.timezone && is_wanted(*site, making_->until);
}

std::optional<TotalsMaking::Made> TotalsMaking::slice(const IsWanted& wants) {
  failpoint("in_totals");
  const bool is_refused = !making_->taken && worker_.state() == State::kRefused;
  if (is_refused || !is_wanted(wants)) {
    if (is_refused) {
      refusal_ = worker_.reason();
      rests_until_ = std::chrono::steady_clock::now() + kRest;
    }
    table_.discard(making_->batch);
    end();
    return std::nullopt;
  }
  if (!making_->taken && worker_.state() == State::kDone) {
    failpoint("before_totals_live");
    table_.finish(making_->batch);
    const Made made{making_->site.id, making_->until, making_->batch};
    end();
    return made;
  }
  if (!making_->taken && worker_.state() == State::kHasProduct) making_->taken = worker_.take();
  if (making_->taken) store_some();
  return std::nullopt;
}

void TotalsMaking::end() {
  worker_.reset();
  making_.reset();
  must_discard_ = false;
}

/// Stores a slice of the totals that the worker has made. First gives every text an id, then
/// writes day after day, in rows of at most kValuesOfSlice values.
void TotalsMaking::store_some() {
  auto& numbers = making_->numbers;
  auto& [dimension, kind, texts, days] = *making_->taken;
  if (numbers.empty()) numbers.push_back(0);  // the id of the empty text
  const auto most = std::min(texts.size(), numbers.size() + kTextsOfSlice);
  while (numbers.size() < most) {
    const auto number = dictionary_.number(making_->site.id, kind, texts[numbers.size()]);
    numbers.push_back(static_cast<std::uint32_t>(number));
  }
  if (numbers.size() < texts.size()) return;
  for (std::size_t stored = 0; stored < kValuesOfSlice && !days.empty();) {
    auto& [day, values] = *days.begin();
    if (!making_->is_sorted) {
      if (!texts.empty()) {
        for (auto& each : values) each.value = numbers[each.value];
      }
      std::sort(values.begin(), values.end(),
                [](const auto& a, const auto& b) { return a.value > b.value; });
      making_->is_sorted = true;
    }
    const auto count = std::min(values.size(), kValuesOfSlice);
    const std::vector<totals::ValueSums> row(values.rbegin(),
                                             values.rbegin() + static_cast<std::ptrdiff_t>(count));
    table_.add(making_->batch, making_->site.id, dimension, day, row);
    stored += count;
    values.resize(values.size() - count);
    if (!values.empty()) continue;
    days.erase(days.begin());
    making_->is_sorted = false;
  }
  if (!days.empty()) return;
  making_->taken.reset();
  numbers.clear();
}

}  // namespace analytics::sqlite
