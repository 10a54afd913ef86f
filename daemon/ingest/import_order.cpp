#include "daemon/ingest/import_order.h"

#include <utility>

namespace analytics {

ImportOrder::Turn::Turn(ImportOrder& order, std::shared_ptr<Place> own,
                        std::shared_ptr<Place> before)
    : order_(order), own_(std::move(own)), before_(std::move(before)) {}

void ImportOrder::Turn::when_next(std::function<void(bool)> go) {
  bool is_next = true;
  {
    const std::scoped_lock lock(order_.mutex_);
    if (before_ != nullptr && before_->state == Place::State::kOnItsWay) {
      before_->next = std::move(go);
      return;
    }
    is_next = before_ == nullptr || before_->state == Place::State::kTaken;
  }
  go(is_next);
}

void ImportOrder::Turn::end(bool is_taken) {
  std::function<void(bool)> next;
  {
    const std::scoped_lock lock(order_.mutex_);
    if (own_->state != Place::State::kOnItsWay) return;
    own_->state = is_taken ? Place::State::kTaken : Place::State::kRefused;
    next = std::exchange(own_->next, nullptr);
    before_.reset();
  }
  if (next) next(is_taken);
}

std::unique_ptr<ImportOrder::Turn> ImportOrder::arrive(AccountId account, const ImportRange& range,
                                                       const std::optional<ByteRange>& after) {
  const auto key = std::to_string(account) + '\n' + range.name + '\n' + to_hex(range.source);
  const std::scoped_lock lock(mutex_);
  const auto last = last_.find(key);
  const auto before = after && last != last_.end() ? last->second : nullptr;
  const bool is_waiting = before != nullptr && before->state == Place::State::kOnItsWay;
  const auto waiting = is_waiting ? before->waiting + 1 : 0;
  if (after && (before == nullptr || before->bytes != *after || waiting > kMaxWaiting)) {
    return nullptr;
  }
  auto place = std::make_shared<Place>();
  place->bytes = range.bytes;
  place->waiting = waiting;
  if (last_.insert_or_assign(key, place).second) remembered_.push_back(key);
  if (remembered_.size() > kMaxRemembered) {
    last_.erase(remembered_.front());
    remembered_.pop_front();
  }
  return std::make_unique<Turn>(*this, std::move(place), before);
}

}  // namespace analytics
