#include "common/event/event_payload.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "common/event/event_limits.h"
#include "common/event/event_object.h"
#include "common/event/event_privacy.h"
#include "common/event/screen_class.h"
#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics {
namespace {

using namespace event_limits;
using Derived = EventPayload::Derived;
using json::Kind;
using json::Value;

constexpr double kFirstMillisecondStamp = 1e11;  // a lower timestamp is in seconds

/// Names of all fields but import fields, in order. "v", the version of Plausible's tracker, is not
/// used.
constexpr std::string_view kOwnFields[] = {
    "$",           "d",       "domain",       "e",  "h",    "hashMode", "i",     "id",
    "interactive", "m",       "meta",         "n",  "name", "p",        "props", "r",
    "referrer",    "revenue", "screen_width", "sd", "u",    "url",      "v",     "w"};
static_assert(std::is_sorted(std::begin(kOwnFields), std::end(kOwnFields)));

/// Reads one body and collects the errors of all fields.
class PayloadParser {
 public:
  PayloadParser(const json::Object& object, const PayloadRights& rights)
      : object_(object), rights_(rights) {}

  Result<EventPayload> parse() && {
    domains();
    name();
    url();
    referrer();
    screen_width();
    props();
    interactive();
    hash_mode();
    revenue();
    engagement();
    import_fields();
    unknown_fields();
    if (errors_.empty()) {
      payload_.withheld = withhold_personal_data(payload_);
      return std::move(payload_);
    }
    const bool only_time = errors_.size() == 1 && errors_.front().field == "timestamp";
    return fail(
        {only_time ? ErrorCode::kInvalidTimestamp : ErrorCode::kInvalidEvent,
         "The event is not valid: " + errors_.front().field + " " + errors_.front().message + ".",
         std::move(errors_)});
  }

 private:
  /// Returns the first of the named members that is present and not null. Callers name the short
  /// name of a field first, so the short name wins.
  const Value* find(std::initializer_list<std::string_view> names) const {
    for (const auto key : names) {
      const auto* value = object_.find(key);
      if (value != nullptr && value->kind != Kind::kNull) return value;
    }
    return nullptr;
  }
  void blame(std::string_view field, std::string message) {
    errors_.push_back({std::string(field), std::move(message)});
  }
  /// Returns true if the text is exactly as sent: nothing was repaired, and the text has no NUL.
  /// Texts that identify something, such as a domain, must meet this.
  bool is_identity(std::string_view text) const {
    return text.find('\0') == std::string_view::npos &&
           !(object_.repaired && text.find(kReplacementCharacter) != std::string_view::npos);
  }

  void domains() {
    const auto* value = find({"d", "domain"});
    if (value == nullptr) return blame("domain", "is required");
    if (value->kind != Kind::kString) return blame("domain", "must be a string");
    if (!is_identity(value->text)) return blame("domain", "is not valid text");
    for (const auto part : split(value->text, ',')) {
      if (const auto one = trim(part); !one.empty()) payload_.domains.emplace_back(one);
    }
    if (payload_.domains.empty()) return blame("domain", "is required");
    if (payload_.domains.size() > kMaxDomains)
      blame("domain", "names more than " + std::to_string(kMaxDomains) + " sites");
  }

  void name() {
    const auto* value = find({"n", "name"});
    if (value == nullptr) return blame("name", "is required");
    if (value->kind != Kind::kString && value->kind != Kind::kInteger) {
      return blame("name", "must be a string");
    }
    if (!is_identity(value->text)) return blame("name", "is not valid text");
    if (is_blank(value->text)) return blame("name", "is required");
    if (count_characters(value->text) > kMaxNameCharacters) {
      return blame("name", longer_than(kMaxNameCharacters, "characters"));
    }
    payload_.name = value->text;
  }

  void url() {
    const auto* value = find({"u", "url"});
    if (value == nullptr) return blame("url", "is required");
    if (value->kind != Kind::kString) return blame("url", "must be a string");
    const auto text = trim(value->text);
    if (text.empty()) return blame("url", "is required");
    if (!is_identity(text) || has_control(text)) return blame("url", "is not valid text");
    if (text.size() > kMaxUrlBytes) return blame("url", longer_than(kMaxUrlBytes, "bytes"));
    if (!split_page_url(text)) {
      return blame("url",
                   "must be a URL such as https://example.com/page, or a path such as /page");
    }
    payload_.url = text;
  }

  void referrer() {
    const auto* value = find({"r", "referrer"});
    if (value == nullptr || value->kind != Kind::kString) return;
    if (has_control(value->text)) return;  // a malformed referrer is ignored
    payload_.referrer = cut_utf8(trim(value->text), kMaxReferrerBytes);
  }

  void screen_width() {
    const auto* value = find({"w", "screen_width"});
    if (value == nullptr || (value->kind != Kind::kInteger && value->kind != Kind::kString)) return;
    const auto width = parse_int(trim(value->text));
    if (width && *width >= 0 && *width <= kMaxScreenWidth) {
      payload_.screen_width = static_cast<int>(*width);
    }
  }

  /// Returns the members of a JSON object, or of a string that contains a JSON object; empty for
  /// any other value.
  static std::vector<json::Member> members_of(const Value* value) {
    if (value == nullptr) return {};
    if (value->kind == Kind::kObject) return value->members;
    if (value->kind != Kind::kString) return {};
    auto inner = json::parse_object(value->text);
    return inner ? std::move(inner->members) : std::vector<json::Member>{};
  }

  void props() {
    auto members = members_of(find({"p", "m", "meta", "props"}));
    // If a key occurs several times, its last value counts.
    std::unordered_set<std::string_view> seen;
    std::vector<bool> counts(members.size());
    for (std::size_t i = members.size(); i-- > 0;) counts[i] = seen.insert(members[i].key).second;
    for (std::size_t i = 0; i < members.size(); ++i) {
      auto& [key, value] = members[i];
      if (!counts[i] || key.empty() || !value.is_scalar() || is_blank(value.text)) continue;
      if (key.size() > kMaxPropKeyBytes) return blame("props", "has a key over 300 bytes");
      if (value.text.size() > kMaxPropValueBytes)
        return blame("props", "has a value over 2000 bytes");
      payload_.props.push_back({without_nul(key), without_nul(value.text)});
    }
    if (payload_.props.size() > kMaxProps) payload_.props.resize(kMaxProps);
  }

  static std::string without_nul(const std::string& text) {
    if (text.find('\0') == std::string::npos) return text;
    std::string clean;
    for (const char c : text)
      clean += c == '\0' ? std::string(kReplacementCharacter) : std::string(1, c);
    return clean;
  }

  void interactive() {
    const auto* value = find({"i", "interactive"});
    if (value != nullptr && value->kind == Kind::kBoolean)
      payload_.interactive = value->text == "true";
    if (payload_.name == kEngagement) payload_.interactive = false;
  }

  void hash_mode() {
    const auto* value = find({"h", "hashMode"});
    payload_.hash_mode =
        value != nullptr && value->is_scalar() && (value->text == "1" || value->text == "true");
  }

  void revenue() {
    const auto members = members_of(find({"$", "revenue"}));
    std::optional<std::int64_t> micros;
    std::string currency;
    for (const auto& [key, value] : members) {
      if (key == "amount" && value.is_scalar()) micros = parse_micros(value.text);
      if (key == "currency" && value.kind == Kind::kString) currency = value.text;
    }
    currency = ascii_upper(currency);
    if (micros && is_currency(currency)) payload_.revenue = Revenue{*micros, std::move(currency)};
  }

  /// Returns the value of a member as a whole number; nullopt if it is absent or out of range.
  std::optional<std::int32_t> number_up_to(std::int32_t most, std::string_view name) const {
    const auto* value = find({name});
    if (value == nullptr || !value->is_scalar() || value->kind == Kind::kBoolean) return {};
    const auto number = parse_double(trim(value->text));
    if (!number || !(*number >= 0 && *number <= most)) return {};
    return static_cast<std::int32_t>(*number);
  }
  void engagement() {
    if (payload_.name != kEngagement) return;
    payload_.engagement = {number_up_to(Engagement::kMaxMillis, "e"),
                           number_up_to(Engagement::kMaxDepth, "sd")};
    // Older servers exported engagements without these fields, so an import may lack both.
    if (payload_.engagement.is_empty() && !rights_.import) {
      blame("e", "or sd is required: milliseconds up to a day, or a scroll depth from 0 to 100");
    }
  }

  void import_fields() {
    for (const auto& field : kImportFields) {
      const auto* value = find({field.name});
      if (value == nullptr) continue;
      if (!rights_.import) {
        payload_.ignored.emplace_back(field.name);
        continue;
      }
      payload_.uses_import_rights = true;
      (this->*field.read)(field, *value);
    }
    const auto* id = find({"id"});
    if (rights_.import && id != nullptr && id->is_scalar() && !id->text.empty()) {
      payload_.id = id->text;
    }
  }

  /// Notes the names of fields that no function reads. Names repeat only if the body repeats them.
  void unknown_fields() {
    for (const auto& [key, value] : object_.members) {
      if (payload_.ignored.size() >= kMaxIgnoredFields) return;
      const std::string_view sent = key;
      const bool is_read =
          value.kind == Kind::kNull ||
          std::binary_search(std::begin(kOwnFields), std::end(kOwnFields), sent) ||
          std::any_of(kImportFields.begin(), kImportFields.end(),
                      [sent](const ImportField& field) { return field.name == sent; });
      if (!is_read) payload_.ignored.push_back(key);
    }
  }

  /// An import field and the function that reads it.
  struct ImportField {
    std::string_view name;
    void (PayloadParser::*read)(const ImportField&, const Value&);
    std::size_t max_bytes = 0;
    std::optional<std::string> Derived::*derived = nullptr;
  };
  static const std::array<ImportField, 16> kImportFields;

  void timestamp_field(const ImportField&, const Value& value) { timestamp(value); }
  void keep_bots_field(const ImportField& field, const Value& value) {
    if (value.kind != Kind::kBoolean) return blame(field.name, "must be true or false");
    payload_.keep_bots = value.text == "true";
  }
  void ip_field(const ImportField& field, const Value& value) {
    if (value.kind != Kind::kString || !is_identity(value.text) || !parse_address(value.text)) {
      return blame(field.name, "is not an IP address");
    }
    payload_.ip = value.text;
  }
  void text_field(const ImportField& field, const Value& value) {
    if (value.kind != Kind::kString || !is_identity(value.text) ||
        value.text.size() > field.max_bytes) {
      return blame(field.name,
                   "must be a string of at most " + std::to_string(field.max_bytes) + " bytes");
    }
    (field.derived == nullptr ? payload_.user_agent : payload_.derived.*field.derived) = value.text;
  }
  void country_field(const ImportField& field, const Value& value) {
    if (value.kind != Kind::kString || !(is_country(value.text) || value.text.empty())) {
      return blame(field.name, "must be two capital letters (ISO 3166-1)");
    }
    payload_.derived.country = value.text;
  }
  void screen_field(const ImportField& field, const Value& value) {
    if (value.kind != Kind::kString || !parse_screen(value.text)) {
      return blame(field.name, "must be Mobile, Tablet, Laptop or Desktop");
    }
    payload_.derived.screen = value.text;
  }
  void language_field(const ImportField& field, const Value& value) {
    const bool is_text = value.kind == Kind::kString && is_identity(value.text) &&
                         value.text.size() <= kMaxLanguageBytes;
    if (!is_text || !(is_language(value.text) || value.text.empty())) {
      return blame(field.name, "must be a code such as de or de-AT (ISO 639)");
    }
    payload_.derived.language = value.text;
  }
  void token_field(const ImportField& field, const Value& value) {
    if (value.kind != Kind::kString || !is_token(value.text)) {
      return blame(field.name, "must be 1 to 64 printable characters");
    }
    (field.name == "visitor" ? payload_.visitor : payload_.visit) = value.text;
  }

  void timestamp(const Value& value) {
    auto time = value.kind == Kind::kString ? parse_rfc3339(value.text) : std::nullopt;
    if (!time && value.is_scalar() && value.kind != Kind::kBoolean) {
      if (const auto number = parse_double(value.text); number && std::abs(*number) < 1e15) {
        const double millis = *number < kFirstMillisecondStamp ? *number * 1e3 : *number;
        time = UnixMillis(std::chrono::milliseconds(static_cast<std::int64_t>(std::floor(millis))));
      }
    }
    if (!time)
      return blame("timestamp", "must be Unix seconds, milliseconds, or RFC 3339 with an offset");
    if (*time < kEarliest) return blame("timestamp", "is before 1990");
    if (*time > rights_.now + kFuture) return blame("timestamp", "is more than 24 hours ahead");
    payload_.timestamp = time;
  }

  const json::Object& object_;
  const PayloadRights& rights_;
  EventPayload payload_;
  std::vector<FieldError> errors_;
};

const std::array<PayloadParser::ImportField, 16> PayloadParser::kImportFields = {{
    {"timestamp", &PayloadParser::timestamp_field},
    {"ip", &PayloadParser::ip_field},
    {"user_agent", &PayloadParser::text_field, kMaxUserAgentBytes},
    {"keep_bots", &PayloadParser::keep_bots_field},
    {"visitor", &PayloadParser::token_field},
    {"visit", &PayloadParser::token_field},
    {"country", &PayloadParser::country_field},
    {"region", &PayloadParser::text_field, kMaxDerivedBytes, &Derived::region},
    {"city", &PayloadParser::text_field, kMaxDerivedBytes, &Derived::city},
    {"device", &PayloadParser::text_field, kMaxDerivedBytes, &Derived::device},
    {"browser", &PayloadParser::text_field, kMaxDerivedBytes, &Derived::browser},
    {"browser_version", &PayloadParser::text_field, kMaxDerivedBytes, &Derived::browser_version},
    {"os", &PayloadParser::text_field, kMaxDerivedBytes, &Derived::os},
    {"os_version", &PayloadParser::text_field, kMaxDerivedBytes, &Derived::os_version},
    {"screen", &PayloadParser::screen_field},
    {"language", &PayloadParser::language_field},
}};

}  // namespace

Result<EventPayload> parse_event_payload(std::string_view body, const PayloadRights& rights) {
  const auto object = TRY(json::parse_object(body));
  return parse_event_payload(object, rights);
}

Result<EventPayload> parse_event_payload(const json::Object& body, const PayloadRights& rights) {
  return PayloadParser(body, rights).parse();
}

void drop_import_fields(EventPayload& payload) {
  payload.timestamp.reset();
  payload.ip.reset();
  payload.user_agent.reset();
  payload.visitor.reset();
  payload.visit.reset();
  payload.id.reset();
  payload.keep_bots.reset();
  payload.derived = {};
}

}  // namespace analytics
