#include "daemon/cluster/shipper.h"

#include <algorithm>

namespace analytics::cluster {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestPause{15'000};  // longest pause after a failed round

}  // namespace

Shipper::Shipper(Parts parts, const ClickHouseConfig& config, const Shipping::Options& options)
    : parts_(std::move(parts)), options_(options), server_(config, thread_.is_stopping()) {}

Shipper::~Shipper() { stop(); }

void Shipper::start() {
  thread_.start([this] { run(); });
}

ShippingStatus Shipper::status() const {
  const std::lock_guard lock(mutex_);
  auto status = status_;
  status.lag = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - complete_until_);
  return status;
}

void Shipper::run() {
  Shipping shipping(
      *parts_.reader, parts_.on_writer, server_,
      [this](milliseconds time) { return thread_.wait(time); }, options_);
  auto pause = options_.between_rounds;
  while (!thread_.is_stopping()) {
    const auto began = std::chrono::steady_clock::now();
    Result<bool> round;
    try {
      round = shipping.round(parts_.clock.now());
      if (round) {
        if (const auto repaired = repair_if_asked(shipping); !repaired) round = repaired;
      }
    } catch (const std::exception& error) {
      // For example, memory or threads are exhausted. The daemon still stores events.
      round = fail(ErrorCode::kInternal, error.what());
    }
    if (thread_.is_stopping()) break;
    note(round, shipping.progress(), began);
    pause = round ? options_.between_rounds : std::min(2 * pause, kLongestPause);
    const bool has_more = round && *round;
    if (!has_more && !thread_.wait(pause)) break;
  }
}

std::uint64_t Shipper::ask_for_repair() {
  const std::lock_guard lock(mutex_);
  return ++wanted_repairs_;
}

Result<bool> Shipper::repair_if_asked(Shipping& shipping) {
  std::uint64_t wanted = 0;
  {
    const std::lock_guard lock(mutex_);
    wanted = wanted_repairs_;
    if (status_.repairs == wanted) return false;
  }
  auto repaired = shipping.repair(parts_.clock.now());
  // ClickHouse would refuse the same repair again, so it counts as ended. The command that asked
  // for it then reports the remaining differences.
  const bool has_ended =
      repaired ? *repaired : repaired.error().code == ErrorCode::kInvalidParameter;
  if (has_ended) {
    const std::lock_guard lock(mutex_);
    status_.repairs = wanted;
  }
  return repaired;
}

void Shipper::note(const Result<bool>& round, const Shipping::Progress& progress,
                   std::chrono::steady_clock::time_point began) {
  const std::lock_guard lock(mutex_);
  const auto problem = round ? std::string() : round.error().message;
  if (problem != status_.problem) {
    if (problem.empty()) {
      parts_.log.info("events are shipped to the cluster again");
    } else {
      parts_.log.warn("events are not shipped to the cluster", {{"reason", problem}});
    }
  }
  status_.problem = problem;
  status_.has_begun = status_.has_begun || round.has_value();
  status_.progress = progress;
  if (round && progress.shipped >= progress.end) complete_until_ = began;
}

}  // namespace analytics::cluster
