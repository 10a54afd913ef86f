#include "daemon/stats/money.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "common/grouped.h"
#include "common/revenue.h"

namespace analytics {
namespace {

struct Symbol {
  std::string_view currency;
  std::string_view text;
};
/// Those that English has a sign for, in Unicode's CLDR. Of others the code is written.
constexpr std::array<Symbol, 19> kSymbols = {{{"AUD", "A$"},
                                              {"BRL", "R$"},
                                              {"CAD", "CA$"},
                                              {"CNY", "CN¥"},
                                              {"EUR", "€"},
                                              {"GBP", "£"},
                                              {"HKD", "HK$"},
                                              {"ILS", "₪"},
                                              {"INR", "₹"},
                                              {"JPY", "¥"},
                                              {"KRW", "₩"},
                                              {"MXN", "MX$"},
                                              {"NZD", "NZ$"},
                                              {"PHP", "₱"},
                                              {"TWD", "NT$"},
                                              {"USD", "$"},
                                              {"VND", "₫"},
                                              {"XAF", "FCFA "},
                                              {"XCD", "EC$"}}};

std::string sign_of(const Money& money) {
  const std::string minus = money.micros < 0 ? "-" : "";
  for (const auto& symbol : kSymbols) {
    if (symbol.currency == money.currency) return minus + std::string(symbol.text);
  }
  return minus + money.currency + " ";
}

/// The minor units of ISO 4217 that are not two.
int decimals_of(std::string_view currency) {
  constexpr std::string_view kNone =
      "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
  constexpr std::string_view kThree = "BHD IQD JOD KWD LYD OMR TND";
  constexpr std::string_view kFour = "CLF UYW";
  if (kNone.find(currency) != std::string_view::npos) return 0;
  if (kThree.find(currency) != std::string_view::npos) return 3;
  return kFour.find(currency) != std::string_view::npos ? 4 : 2;
}

}  // namespace

std::string long_text(const Money& money) {
  const auto text =
      fmt::format("{:.{}f}", std::abs(units_of(money.micros)), decimals_of(money.currency));
  const auto point = text.find('.');
  const auto whole = grouped(std::stoll(text.substr(0, point)));
  return sign_of(money) + whole + (point == std::string::npos ? "" : text.substr(point));
}

std::string short_text(const Money& money) {
  constexpr std::array<std::string_view, 5> kUnits = {"", "K", "M", "B", "T"};
  auto value = std::abs(units_of(money.micros));
  std::size_t unit = 0;
  constexpr double kNext = 999.95;  // would be shown as 1000.0
  for (; value >= kNext && unit + 1 < kUnits.size(); ++unit) value /= 1'000;
  return sign_of(money) + fmt::format("{:.1f}{}", value, kUnits[unit]);
}

}  // namespace analytics
