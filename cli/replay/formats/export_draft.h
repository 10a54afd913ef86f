#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/formats/export_row.h"
#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// An event that is being made of a row of another service's export.
class ExportDraft {
 public:
  /// `options` and `row` must outlive this object.
  ExportDraft(const ExportRow& row, const ReaderOptions& options) : row_(row), options_(options) {}

  /// A time as parse_log_time() takes it.
  void set_time(std::string_view text);
  /// The page: `path` under `--base`, else on `host`, else on the site. A path may be a whole URL,
  /// or begin with the host.
  void set_page(std::string_view host, std::string_view path, std::string_view query = {});
  /// The site of records without `--site`, if it is not the host of their page; or, with several
  /// of `--site`, the one of them that it is.
  void set_site(std::string_view site, bool is_one_of_many = false) {
    site_ = std::string(site);
    is_one_of_many_ = is_one_of_many;
  }
  /// Adds a parameter to the page's query unless it has one of that name.
  void add_parameter(std::string_view name, std::string_view value);
  /// Without its scheme, as most services keep it, or with one.
  void set_referrer(std::string_view text);
  /// Ids of the service stand for visitor and visit. They leave this machine as digests only.
  void set_visitor(std::string_view id);
  void set_visit(std::string_view id);
  /// An id of the same person: no property may have it as its value.
  void add_person(std::string_view id) {
    if (!id.empty()) people_.emplace_back(id);
  }
  /// Part of a country: "TX" or "US-TX".
  void set_place(std::string_view country, std::string_view region, std::string_view city);
  /// "Desktop", "mobile", "Smartphone", "Computer": what kind of device it is.
  void set_device(std::string_view name);
  /// In pixels; what no screen has is left out.
  void set_screen_width(std::string_view text);
  void set_browser(std::string_view name, std::string_view version);
  void set_os(std::string_view name, std::string_view version);
  /// These leave out a text that is no code of a language, no address, no amount or currency.
  void set_language(std::string_view code);
  void set_address(std::string_view text);
  void set_revenue(const std::string& amount, std::string currency);
  /// Makes it an event that says how the page was read. `seconds` and `percent` are numbers; empty:
  /// not known. False if nothing is.
  [[nodiscard]] bool set_engagement(std::string_view seconds, std::string_view percent);
  /// Properties, without those that name a person: by their key, or because the value is an id of
  /// the visitor, an address, or holds an e-mail address. Call it after all that sets such ids.
  void add_props(const std::vector<Property>& props);

  /// Takes `--map prop.NAME=column` into account.
  [[nodiscard]] ReadLine finish() &&;

  EventPayload payload;

 private:
  const ExportRow& row_;
  const ReaderOptions& options_;
  std::string host_;
  std::string site_;
  bool is_one_of_many_ = false;
  bool has_page_ = false;
  std::vector<std::string> people_;  ///< Ids of the visitor.
  std::size_t withheld_ = 0;
};

/// Returns the first value that is not empty.
[[nodiscard]] std::string first_of(const ExportRow& row,
                                   std::initializer_list<std::string_view> names);

/// The kind of device that a service calls so, as the server names it; empty: it is not known.
[[nodiscard]] std::string_view device_name(std::string_view text);

struct NameAndVersion {
  std::string name;
  std::string version;
};
/// Splits "Internet Explorer 11": the version begins with a digit behind the last space.
[[nodiscard]] NameAndVersion name_and_version_of(std::string_view text);

}  // namespace analytics::cli
