#include "cli/replay/rejects.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "common/fs.h"
#include "common/secret.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;
constexpr std::uint64_t kEnoughForPercent = 100;

}  // namespace

Status RejectFile::open(const std::vector<std::string>& inputs) {
  if (path_.empty()) return {};
  for (const auto& input : inputs) {
    std::error_code missing;
    if (std::filesystem::equivalent(input, path_, missing)) {
      return fail(ErrorCode::kInvalidParameter, "--rejects names the input " + input);
    }
  }
  if (make_private_file(path_)) file_.open(path_, std::ios::trunc);
  if (file_.is_open()) return {};
  return fail(ErrorCode::kInternal, path_ + " cannot be written");
}

void RejectFile::write(const Record& record, std::string_view stage, const std::string& code,
                       const std::string& message) {
  if (!file_.is_open()) return;
  ordered_json row = {{"file", *record.file}, {"line", record.line}, {"offset", record.offset},
                      {"stage", stage},       {"code", code},        {"message", message}};
  if (is_valid_utf8(record.original)) {
    row["original"] = record.original;
  } else {
    row["original_base64"] = to_base64(record.original);
  }
  file_ << row.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

bool RejectFile::close() {
  if (!file_.is_open()) return true;
  file_.close();
  return !file_.fail();
}

std::optional<ErrorLimit> ErrorLimit::parse(const std::string& text) {
  ErrorLimit limit;
  if (text.empty()) return limit;
  if (text.ends_with('%')) {
    limit.percent_ = parse_double(std::string_view(text).substr(0, text.size() - 1));
    return limit.percent_ && *limit.percent_ >= 0 ? std::optional(limit) : std::nullopt;
  }
  limit.most_ = parse_int(text);
  return limit.most_ && *limit.most_ >= 0 ? std::optional(limit) : std::nullopt;
}

bool ErrorLimit::passed(const Accounts& accounts) const {
  if (most_) return accounts.rejected > static_cast<std::uint64_t>(*most_);
  return percent_ && accounts.read >= kEnoughForPercent &&
         100.0 * static_cast<double>(accounts.rejected) >
             *percent_ * static_cast<double>(accounts.read);
}

}  // namespace analytics::cli
