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
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const auto done = accounts.read - accounts.pending;
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double percent =
      bytes_total > 0 ? 100.0 * static_cast<double>(bytes_read) / static_cast<double>(bytes_total)
                      : 0;
  if (kind_ == "json") {
    err_ << fmt::format("{{\"done\":{},\"rejected\":{},\"rate\":{:.0f},\"percent\":{:.1f}}}\n",
                        done, accounts.rejected, rate, percent);
    return;
  }
  const auto text = fmt::format("{:.0f} % read, {} records, {:.0f}/s, {} rejected", percent, done,
                                rate, accounts.rejected);
  if (kind_ == "bar") {
    err_ << "\r\x1b[K" << text << std::flush;
    shown_ = true;
  } else {
    err_ << text << '\n';
  }
}

void Progress::finish() {
  if (shown_) err_ << "\r\x1b[K" << std::flush;
}

}  // namespace analytics::cli
