#include "daemon/store/sqlite/part_copies.h"

#include "common/failpoint.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kBytesOfSlice = 262'144;  // some milliseconds with their sync

}  // namespace

bool PartCopies::choose(UnixSeconds now) {
  if (day_ || now == idle_at_) return false;
  chosen_ = table_.next_due(now, quiet_);
  if (!chosen_) idle_at_ = now;
  return chosen_.has_value();
}

void PartCopies::begin() {
  day_ = chosen_;
  table_.begin(*day_);
  maker_.start(*day_);
}

bool PartCopies::is_due() const {
  return day_ &&
         (table_.is_touched() || !columns_.empty() || maker_.state() != PartMaker::State::kWorking);
}

void PartCopies::slice() {
  failpoint("in_parts");
  if (table_.is_touched()) return end(false);
  if (columns_.empty()) {
    switch (maker_.state()) {
      case PartMaker::State::kIdle:
      case PartMaker::State::kWorking: return;
      case PartMaker::State::kHasPart: return take_part();
      case PartMaker::State::kDone:
      case PartMaker::State::kFewEvents: return end(true);
      case PartMaker::State::kRefused: return end(false);
    }
  }
  for (std::size_t bytes = 0; bytes < kBytesOfSlice && !columns_.empty();) {
    const auto next = columns_.extract(columns_.begin());
    bytes += next.mapped().size();
    table_.add_column(part_, next.key(), next.mapped());
  }
}

void PartCopies::take_part() {
  auto part = maker_.take();
  part_ = table_.add_part(part.head);
  columns_ = std::move(part.columns);
}

void PartCopies::end(bool is_made) {
  maker_.reset();
  columns_.clear();
  day_.reset();
  if (is_made || table_.is_touched()) {
    table_.finish();
  } else {
    table_.give_up();
  }
}

}  // namespace analytics::sqlite
