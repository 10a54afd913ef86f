#include "cli/replay/progress.h"

#include <fmt/format.h>

namespace analytics::cli {

Progress::Progress(const std::string& kind, bool terminal, std::ostream& err, TimePoint start)
    : kind_(kind), err_(err), start_(start), last_(start) {
  if (kind_ == "auto") kind_ = terminal ? "bar" : "plain";
  if (kind_ == "bar" && !terminal) kind_ = "plain";
}

void Progress::show(const Accounts& accounts, std::uint64_t bytes_read, std::uint64_t bytes_total,
                    TimePoint now) {
  using namespace std::chrono_literals;
  if (kind_ == "none" || now - last_ < (kind_ == "bar" ? 200ms : 10'000ms)) return;
  last_ = now;
  print(accounts, bytes_read, bytes_total, now);
}

void Progress::print(const Accounts& accounts, std::uint64_t bytes_read, std::uint64_t bytes_total,
                     TimePoint now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const auto done = accounts.read - accounts.pending;
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  // What was read ahead and waits to be sent is not done.
  const double ahead =
      accounts.read > 0 ? static_cast<double>(done) / static_cast<double>(accounts.read) : 0;
  const double part =
      bytes_total > 0 ? ahead * static_cast<double>(bytes_read) / static_cast<double>(bytes_total)
                      : 0;
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  if (kind_ == "json") {
    err_ << fmt::format(
        "{{\"done\":{},\"rejected\":{},\"rate\":{:.0f},\"percent\":{:.1f},\"eta\":{:.0f}}}\n", done,
        accounts.rejected, rate, 100 * part, left);
    return;
  }
  auto text = fmt::format("{:.0f} %, {} records, {:.0f}/s, {} rejected", 100 * part, done, rate,
                          accounts.rejected);
  if (part > 0) text += fmt::format(", {:.0f} s left", left);
  if (kind_ == "bar") {
    err_ << "\r\x1b[K" << text << std::flush;
    shown_ = true;
  } else {
    err_ << text << std::endl;
  }
}

void Progress::finish() {
  if (shown_) err_ << "\r\x1b[K" << std::flush;
}

}  // namespace analytics::cli
