#include "common/io/config_file.h"

#include <algorithm>
#include <sstream>

#include "common/io/fs.h"
#include "common/io/toml.h"

namespace analytics {
namespace {

Result<std::string> scalar_text(const toml::node& node) {
  std::ostringstream text;
  if (const auto* string = node.as_string()) return string->get();
  if (const auto* integer = node.as_integer()) {
    text << integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    text << real->get();
  } else if (const auto* flag = node.as_boolean()) {
    text << (flag->get() ? "true" : "false");
  } else {
    return fail(ErrorCode::kInvalidParameter, "must be text, a number, true or false");
  }
  return text.str();
}

Status flatten(const toml::table& table, const std::string& prefix, std::vector<ConfigEntry>& out) {
  for (const auto& [name, node] : table) {
    ConfigEntry entry;
    entry.key = prefix + std::string(name.str());
    entry.line = node.source().begin.line;
    if (const auto* inner = node.as_table()) {
      TRY(flatten(*inner, entry.key + ".", out));
      continue;
    }
    const auto* list = node.as_array();
    entry.is_list = list != nullptr;
    const auto add = [&](const toml::node& value) -> Status {
      auto text = scalar_text(value);
      if (!text) {
        return fail(ErrorCode::kInvalidParameter, "line " + std::to_string(entry.line) + ": " +
                                                      entry.key + " " + text.error().message);
      }
      entry.values.push_back(std::move(*text));
      return {};
    };
    if (list == nullptr) {
      TRY(add(node));
    } else {
      for (const auto& value : *list) TRY(add(value));
    }
    out.push_back(std::move(entry));
  }
  return {};
}

}  // namespace

Result<std::vector<ConfigEntry>> read_config_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return fail(ErrorCode::kNotFound, file.string() + ": no such file");
  }
  const auto text = TRY(read_file(file));
  const auto parsed = toml::parse(text, file.string());
  if (!parsed) {
    return fail(ErrorCode::kInvalidParameter,
                file.string() + ": line " + std::to_string(parsed.error().source().begin.line) +
                    ": " + std::string(parsed.error().description()));
  }
  std::vector<ConfigEntry> entries;
  if (auto done = flatten(parsed.table(), "", entries); !done) {
    return fail(ErrorCode::kInvalidParameter, file.string() + ": " + done.error().message);
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return entries;
}

}  // namespace analytics
