#include "cli/replay/progress/progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text/text.h"

namespace analytics::cli {

Progress::Progress(const std::string& kind, bool terminal, std::ostream& err, TimePoint start,
                   std::function<std::size_t()> columns)
    : kind_(kind), err_(err), start_(start), last_(start), columns_(std::move(columns)) {
  if (kind_ == "auto") kind_ = terminal ? "bar" : "plain";
  if (kind_ == "bar" && !terminal) kind_ = "plain";
}

void Progress::show(const ReplayState& state, TimePoint now) {
  using namespace std::chrono_literals;
  if (kind_ == "none" || now - last_ < (kind_ == "bar" ? 200ms : 10'000ms)) return;
  last_ = now;
  print(state, now);
}

void Progress::print(const ReplayState& state, TimePoint now) {
  const auto& accounts = state.accounts;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const auto done = accounts.read - accounts.pending;
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  // Share of the read records that have their outcome. The same share of the bytes read counts as
  // done.
  const double ahead =
      accounts.read > 0 ? static_cast<double>(done) / static_cast<double>(accounts.read) : 0;
  const double part = state.bytes_total > 0 ? ahead * static_cast<double>(state.bytes_read) /
                                                  static_cast<double>(state.bytes_total)
                                            : 0;
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  if (kind_ == "json") {
    const nlohmann::ordered_json line = {
        {"done", done},
        {"rejected", accounts.rejected},
        {"rate", std::llround(rate)},
        {"percent", std::round(1'000 * part) / 10},
        {"eta", std::llround(left)},
        {"pause",
         state.pause.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(state.pause)}};
    err_ << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
    return;
  }
  std::string text;
  if (state.bytes_total > 0) text = fmt::format("{:.0f} %, ", 100 * part);
  text += fmt::format("{} records, {:.0f}/s, {} rejected", done, rate, accounts.rejected);
  if (!state.pause.empty()) {
    text += ", " + visible(state.pause);
  } else if (part > 0) {
    text += fmt::format(", {:.0f} s left", left);
  }
  if (kind_ != "bar") {
    err_ << text << std::endl;
    return;
  }
  // Cuts the line, because a line that wraps cannot be rewritten.
  const auto columns = std::max<std::size_t>(columns_(), 2);
  err_ << "\r\x1b[K" << cut_utf8(text, columns - 1) << std::flush;
  shown_ = true;
}

void Progress::clear() {
  if (std::exchange(shown_, false)) err_ << "\r\x1b[K" << std::flush;
}

}  // namespace analytics::cli
