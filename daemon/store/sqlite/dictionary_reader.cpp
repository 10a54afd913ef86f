#include "daemon/store/sqlite/dictionary_reader.h"

#include <stdexcept>

namespace analytics::sqlite {
namespace {

using query::Column;

StringKind kind_of(Column column) {
  switch (column) {
    case Column::kName: return StringKind::kName;
    case Column::kPath:
    case Column::kEntryPage:
    case Column::kExitPage: return StringKind::kPath;
    case Column::kHostname: return StringKind::kHostname;
    case Column::kProps: return StringKind::kProps;
    case Column::kCurrency: return StringKind::kCurrency;
    case Column::kReferrer: return StringKind::kReferrer;
    case Column::kSource: return StringKind::kSource;
    case Column::kUtmSource: return StringKind::kUtmSource;
    case Column::kUtmMedium: return StringKind::kUtmMedium;
    case Column::kUtmCampaign: return StringKind::kUtmCampaign;
    case Column::kUtmContent: return StringKind::kUtmContent;
    case Column::kUtmTerm: return StringKind::kUtmTerm;
    case Column::kTime:
    case Column::kVisitor:
    case Column::kIsPageview:
    case Column::kRevenue:
    case Column::kVisit:
    case Column::kIsBounce:
    case Column::kVisitSeconds:
    case Column::kChannel:
    case Column::kClient:
    case Column::kPlace: break;
  }
  throw std::logic_error("the column has no texts");
}

}  // namespace

DictionaryReader::DictionaryReader(Connection& connection, SiteId site, const query::Budget& budget)
    : site_(site),
      budget_(budget),
      text_(connection, "SELECT value FROM strings WHERE site = ? AND kind = ? AND id = ?"),
      client_(connection,
              "SELECT device, browser, browser_version, os, os_version FROM clients"
              " WHERE site = ? AND id = ?"),
      place_(connection, "SELECT country, region, city FROM places WHERE site = ? AND id = ?") {}

std::string DictionaryReader::text(Column column, std::int64_t number) {
  budget_.check_time();
  if (number == 0) return {};
  auto rows = text_.query(site_, static_cast<int>(kind_of(column)), number);
  return rows.next() ? rows.text(0) : std::string();
}

Client DictionaryReader::client(std::int64_t number) {
  if (number == 0) return {};
  auto rows = client_.query(site_, number);
  if (!rows.next()) return {};
  return {rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4)};
}

Place DictionaryReader::place(std::int64_t number) {
  if (number == 0) return {};
  auto rows = place_.query(site_, number);
  if (!rows.next()) return {};
  return {rows.text(0), rows.text(1), rows.text(2)};
}

}  // namespace analytics::sqlite
