#include "daemon/stats/money.h"

#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "common/text/grouped.h"

namespace analytics {
namespace {

struct Symbol {
  std::string_view currency;
  std::string_view text;
};
/// Currencies with a symbol in the English locale of Unicode's CLDR. The others are written with
/// their code.
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

/// Returns the number of decimals that ISO 4217 defines for a currency.
int decimals_of(std::string_view currency) {
  constexpr std::string_view kNone =
      "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
  constexpr std::string_view kThree = "BHD IQD JOD KWD LYD OMR TND";
  constexpr std::string_view kFour = "CLF UYW";
  if (kNone.find(currency) != std::string_view::npos) return 0;
  if (kThree.find(currency) != std::string_view::npos) return 3;
  return kFour.find(currency) != std::string_view::npos ? 4 : 2;
}

constexpr int kDecimalsOfMicros = 6;

std::uint64_t power_of_ten(int exponent) {
  std::uint64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

/// Returns the absolute amount in units of `micros_of_unit`; halves are rounded to even, as in
/// Plausible.
std::uint64_t rounded(const Money& money, std::uint64_t micros_of_unit) {
  const auto amount = static_cast<std::uint64_t>(money.micros);
  const auto micros = money.micros < 0 ? 0 - amount : amount;
  const auto units = micros / micros_of_unit;
  const auto twice_the_rest = micros % micros_of_unit * 2;
  const bool goes_up =
      twice_the_rest > micros_of_unit || (twice_the_rest == micros_of_unit && units % 2 == 1);
  return units + (goes_up ? 1 : 0);
}

}  // namespace

std::string long_text(const Money& money) {
  const auto decimals = decimals_of(money.currency);
  const auto units = rounded(money, power_of_ten(kDecimalsOfMicros - decimals));
  const auto scale = power_of_ten(decimals);
  const auto whole = sign_of(money) + grouped(static_cast<std::int64_t>(units / scale));
  return decimals == 0 ? whole : fmt::format("{}.{:0{}}", whole, units % scale, decimals);
}

std::string short_text(const Money& money) {
  constexpr std::array<std::string_view, 5> kUnits = {"", "K", "M", "B", "T"};
  auto tenth = power_of_ten(kDecimalsOfMicros - 1);
  auto tenths = rounded(money, tenth);
  std::size_t unit = 0;
  constexpr std::uint64_t kNext = 10'000;  // from this many tenths on, the next unit is used
  for (; tenths >= kNext && unit + 1 < kUnits.size(); ++unit) {
    tenth *= 1'000;
    tenths = rounded(money, tenth);
  }
  return sign_of(money) + fmt::format("{}.{}{}", tenths / 10, tenths % 10, kUnits[unit]);
}

}  // namespace analytics
