#include "common/event/revenue.h"

#include <cstdlib>

#include <fmt/format.h>

#include "common/text/text.h"

namespace analytics {
namespace {

/// Active currency codes of ISO 4217 (list one, 2024), concatenated.
constexpr std::string_view kCurrencies =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN "
    "BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN "
    "ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD "
    "JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT "
    "MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG "
    "QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT "
    "TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XOF XPF "
    "YER ZAR ZMW ZWG ";

constexpr std::int64_t kMaxUnits = 9'000'000'000'000;

}  // namespace

std::optional<std::int64_t> parse_micros(std::string_view decimal) {
  const bool negative = decimal.starts_with('-');
  if (negative) decimal.remove_prefix(1);
  const auto point = decimal.find('.');
  const auto whole = decimal.substr(0, point);
  std::string fraction(point == std::string_view::npos ? "0" : decimal.substr(point + 1));
  if (whole.empty() || fraction.empty()) return std::nullopt;
  if ((std::string(whole) + fraction).find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  fraction.resize(6, '0');
  const auto units = parse_int(whole);
  const auto micros = parse_int(fraction);
  if (!units || !micros || *units > kMaxUnits) return std::nullopt;
  const auto amount = *units * kMicrosOfUnit + *micros;
  return negative ? -amount : amount;
}

std::string format_micros(std::int64_t micros) {
  auto text = fmt::format("{}{}.{:06}", micros < 0 ? "-" : "", std::abs(micros / kMicrosOfUnit),
                          std::abs(micros % kMicrosOfUnit));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

bool is_currency(std::string_view code) {
  return code.size() == 3 && code.find(' ') == std::string_view::npos &&
         kCurrencies.find(std::string(code) + " ") != std::string_view::npos;
}

}  // namespace analytics
