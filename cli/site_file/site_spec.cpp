#include "cli/site_file/site_spec.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "common/io/toml.h"
#include "common/text/site_name.h"
#include "common/text/text.h"
#include "common/text/time.h"
#include "common/wire/catalogue.h"
#include "common/wire/retention.h"

namespace analytics::cli {
namespace {

/// The key that a file of sites uses for a kind of exclusion.
struct ExclusionWord {
  ExclusionKind kind;
  const char* word;
};
constexpr std::array kExclusionWords = {ExclusionWord{ExclusionKind::kAddress, "address"},
                                        ExclusionWord{ExclusionKind::kPage, "page"},
                                        ExclusionWord{ExclusionKind::kHostname, "only_hostname"}};

/// Reads the tables of a file and collects their errors.
class Reader {
 public:
  AccountSpec read(const toml::table& file);
  void note(const toml::source_region& where, const std::string& problem) {
    problems_.emplace(where.begin.line, problem);
  }
  /// Returns the noted problems in order of lines: "line 3: a site needs a domain".
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  using Words = std::initializer_list<std::string_view>;

  void refuse_others(const toml::table& table, Words known, const std::string& what);
  std::optional<std::string> text_of(const toml::table& table, std::string_view key);
  std::optional<bool> flag_of(const toml::table& table, std::string_view key);
  /// Returns the text of a key in normal form; notes its problem if it is invalid.
  template <typename Normalise>
  std::optional<std::string> value_of(const toml::table& table, std::string_view key,
                                      const Normalise& normalise);
  template <typename Read>
  void each_table(const toml::table& table, std::string_view key, const Read& read);
  void note_twice(const toml::table& table, std::set<std::string>& seen, const std::string& label);
  SiteSpec read_site(const toml::table& table);
  void read_goal(const toml::table& table, SiteSpec& site);
  void read_funnel(const toml::table& table, SiteSpec& site);
  void read_link(const toml::table& table, std::vector<LinkSpec>& links);
  void read_exclusion(const toml::table& table, SiteSpec& site);

  std::multimap<std::uint32_t, std::string> problems_;  ///< Problems; the key is the line's number.
  std::set<std::string> seen_;  ///< Labels already used in the current site, to find duplicates.
};

std::vector<std::string> Reader::problems() const {
  std::vector<std::string> lines;
  for (const auto& [line, problem] : problems_) {
    lines.push_back("line " + std::to_string(line) + ": " + problem);
  }
  return lines;
}

void Reader::refuse_others(const toml::table& table, Words known, const std::string& what) {
  for (const auto& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    note(node.source(), "unknown key \"" + std::string(key.str()) + "\" in " + what + "; it has " +
                            join(std::vector<std::string>(known.begin(), known.end()), ", "));
  }
}

std::optional<std::string> Reader::text_of(const toml::table& table, std::string_view key) {
  const auto* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* text = node->as_string()) return text->get();
  note(node->source(), std::string(key) + " must be text");
  return std::nullopt;
}

std::optional<bool> Reader::flag_of(const toml::table& table, std::string_view key) {
  const auto* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* flag = node->as_boolean()) return flag->get();
  note(node->source(), std::string(key) + " must be true or false");
  return std::nullopt;
}

template <typename Normalise>
std::optional<std::string> Reader::value_of(const toml::table& table, std::string_view key,
                                            const Normalise& normalise) {
  const auto text = text_of(table, key);
  if (!text) return std::nullopt;
  auto value = normalise(*text);
  if (value) return std::move(*value);
  const auto& fields = value.error().fields;
  note(table.get(key)->source(),
       std::string(key) + " " + (fields.empty() ? value.error().message : fields.front().message));
  return std::nullopt;
}

template <typename Read>
void Reader::each_table(const toml::table& table, std::string_view key, const Read& read) {
  const auto* node = table.get(key);
  if (node == nullptr) return;
  const auto* list = node->as_array();
  if (list == nullptr) return note(node->source(), std::string(key) + " must be a list of tables");
  for (const auto& one : *list) {
    if (const auto* inner = one.as_table()) {
      read(*inner);
    } else {
      note(one.source(), std::string(key) + " must be a list of tables");
    }
  }
}

void Reader::note_twice(const toml::table& table, std::set<std::string>& seen,
                        const std::string& label) {
  if (!seen.insert(label).second) note(table.source(), label + " occurs twice");
}

AccountSpec Reader::read(const toml::table& file) {
  refuse_others(file, {"site", "link"}, "the file");
  AccountSpec account;
  each_table(file, "link", [&](const toml::table& link) { read_link(link, account.links); });
  std::set<std::string> domains;
  each_table(file, "site", [&](const toml::table& table) {
    const auto& site = account.sites.emplace_back(read_site(table));
    if (!site.domain.empty()) note_twice(table, domains, "site " + site.domain);
  });
  return account;
}

SiteSpec Reader::read_site(const toml::table& table) {
  seen_.clear();
  refuse_others(table,
                {"domain", "timezone", "keep", "keep_totals", "languages", "goal", "funnel", "link",
                 "exclude"},
                "a site");
  SiteSpec site;
  site.domain = value_of(table, "domain", normalise_domain).value_or("");
  if (table.get("domain") == nullptr) note(table.source(), "a site needs a domain");
  site.timezone = value_of(table, "timezone", [](const std::string& zone) -> Result<std::string> {
    if (is_time_zone(zone)) return zone;
    return fail({ErrorCode::kInvalidTimezone,
                 "",
                 {{"timezone", "\"" + visible(zone) + "\" is not a zone of the IANA database"}}});
  });
  site.keep = value_of(table, "keep", [](const std::string& text) {
    return parse_retention(text).map([](const Retention& keep) { return to_text(keep); });
  });
  site.keep_totals = flag_of(table, "keep_totals");
  site.languages = flag_of(table, "languages");
  each_table(table, "goal", [&](const toml::table& goal) { read_goal(goal, site); });
  each_table(table, "funnel", [&](const toml::table& funnel) { read_funnel(funnel, site); });
  each_table(table, "link", [&](const toml::table& link) { read_link(link, site.links); });
  each_table(table, "exclude", [&](const toml::table& one) { read_exclusion(one, site); });
  return site;
}

void Reader::read_goal(const toml::table& table, SiteSpec& site) {
  refuse_others(table, {"event", "page", "display_name"}, "a goal");
  const bool is_page = table.get("page") != nullptr;
  if (is_page == (table.get("event") != nullptr)) {
    return note(table.source(), "a goal needs either event or page");
  }
  const auto value = is_page ? value_of(table, "page", normalise_page_pattern)
                             : value_of(table, "event", normalise_event_name);
  GoalSpec goal{is_page ? GoalType::kPage : GoalType::kEvent, value.value_or(""),
                value_of(table, "display_name", normalise_display_name)};
  if (!value) return;
  note_twice(table, seen_, "goal " + label_of(goal));
  site.goals.push_back(std::move(goal));
}

void Reader::read_funnel(const toml::table& table, SiteSpec& site) {
  refuse_others(table, {"name", "within", "steps"}, "a funnel");
  if (table.get("name") == nullptr) return note(table.source(), "a funnel needs a name");
  const auto name = value_of(table, "name", normalise_funnel_name);
  const auto within = value_of(table, "within", [](const std::string& word) {
    return parse_funnel_within(word).map(
        [](FunnelWithin of) { return std::string(funnel_within_name(of)); });
  });
  const auto* words = table.get_as<toml::array>("steps");
  if (words == nullptr) return note(table.source(), "a funnel needs steps, a list of texts");
  FunnelSpec funnel{name.value_or(""), *parse_funnel_within(within.value_or(""))};
  for (const auto& word : *words) {
    const auto* text = word.as_string();
    const auto step = parse_funnel_step(text == nullptr ? "" : text->get());
    if (!step) return note(word.source(), step.error().message);
    funnel.steps.push_back(*step);
  }
  if (const auto checked = check_funnel_steps(funnel.steps); !checked) {
    return note(table.source(), checked.error().message);
  }
  if (!name) return;
  note_twice(table, seen_, "funnel " + label_of(funnel));
  site.funnels.push_back(std::move(funnel));
}

void Reader::read_link(const toml::table& table, std::vector<LinkSpec>& links) {
  refuse_others(
      table,
      {"name", "token", "expires_at", "filters", "period", "frame_ancestors", "password_file"},
      "a link");
  if (table.get("name") == nullptr) return note(table.source(), "a link needs a name");
  const auto name = value_of(table, "name", normalise_link_name);
  const auto token = value_of(table, "token", read_link_token);
  if (!name) return;
  LinkSpec link{*name, token.value_or("")};
  for (const auto& term : kLinkTerms) {
    link.*term.value = value_of(table, term.name, term.normalise);
  }
  link.password_file = text_of(table, "password_file").value_or("");
  note_twice(table, seen_, "link " + label_of(link));
  links.push_back(std::move(link));
}

void Reader::read_exclusion(const toml::table& table, SiteSpec& site) {
  refuse_others(table, {"address", "page", "only_hostname"}, "an exclusion");
  if (table.size() != 1) {
    return note(table.source(), "an exclusion needs one of address, page and only_hostname");
  }
  for (const auto& [kind, word] : kExclusionWords) {
    const auto value = value_of(table, word, [kind = kind](const std::string& text) {
      return normalise_exclusion(kind, text);
    });
    if (!value) continue;
    ExclusionSpec exclusion{kind, *value};
    note_twice(table, seen_, "exclusion " + label_of(exclusion));
    site.exclusions.push_back(std::move(exclusion));
  }
}

/// Returns the text as a basic string of TOML, which has the same escapes as JSON.
std::string quoted(const std::string& text) {
  auto json = nlohmann::json(text).dump();
  std::string toml;
  for (const char c : json) toml += c == '\x7f' ? std::string("\\u007F") : std::string(1, c);
  return toml;
}

/// Returns a name for the link's password file, such as "Team.password", with characters that every
/// file system allows.
std::string password_file_of(const LinkSpec& link) {
  auto name = link.name;
  for (auto& c : name) {
    const bool is_plain =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
    if (!is_plain) c = '_';
  }
  return name + ".password";
}

}  // namespace

std::string label_of(const GoalSpec& goal) {
  return std::string(goal_type_name(goal.type)) + " " + goal.value;
}

std::string label_of(const FunnelSpec& funnel) { return funnel.name; }

std::string label_of(const LinkSpec& link) { return link.name; }

std::string label_of(const SiteSpec& site) { return site.domain; }

std::string label_of(const ExclusionSpec& exclusion) {
  for (const auto& [kind, word] : kExclusionWords) {
    if (kind == exclusion.kind) return std::string(word) + " " + exclusion.value;
  }
  return exclusion.value;
}

Outcome<AccountSpec> parse_sites(std::string_view text, const std::string& name) {
  Reader reader;
  AccountSpec account;
  const auto parsed = toml::parse(text, name);
  if (parsed) {
    account = reader.read(parsed.table());
  } else {
    reader.note(parsed.error().source(), std::string(parsed.error().description()));
  }
  auto problems = reader.problems();
  if (!problems.empty()) {
    return tl::unexpected(Failure{ExitCode::kSetup,
                                  name + " is wrong; nothing was changed",
                                  "invalid_file",
                                  0,
                                  {},
                                  std::move(problems)});
  }
  if (!account.sites.empty() || !account.links.empty()) return account;
  return give_up(ExitCode::kSetup, name + " names no site; nothing was changed", "no_sites");
}

std::string format_sites(const AccountSpec& account) {
  std::string text;
  const auto add_link = [&](const char* table, const LinkSpec& link) {
    text += std::string(table) + "\nname = " + quoted(link.name) + '\n';
    if (!link.token.empty()) text += "token = " + quoted(link.token) + '\n';
    for (const auto& term : kLinkTerms) {
      const auto& value = link.*term.value;
      if (value) text += std::string(term.name) + " = " + quoted(*value) + '\n';
    }
    // The server never reveals a password, so the file must name a password file to set up a new
    // server.
    if (link.has_password || !link.password_file.empty()) {
      const auto file = link.password_file.empty() ? password_file_of(link) : link.password_file;
      text += "password_file = " + quoted(file) + '\n';
    }
  };
  const auto add_funnel = [&](const FunnelSpec& funnel) {
    text += "[[site.funnel]]\nname = " + quoted(funnel.name) + "\nsteps = [";
    for (const auto& step : funnel.steps) {
      text += (&step == &funnel.steps.front() ? "" : ", ") + quoted(to_text(step));
    }
    text += "]\n";
    if (funnel.within != FunnelWithin::kVisit) {
      text += "within = " + quoted(std::string(funnel_within_name(funnel.within))) + '\n';
    }
  };
  for (const auto& link : account.links) add_link("[[link]]", link);
  for (const auto& site : account.sites) {
    text += (text.empty() ? "" : "\n") + std::string("[[site]]\ndomain = ") + quoted(site.domain);
    if (site.timezone) text += "\ntimezone = " + quoted(*site.timezone);
    if (site.keep) text += "\nkeep = " + quoted(*site.keep);
    const auto add_flag = [&](const char* name, const std::optional<bool>& flag) {
      if (flag) text += std::string("\n") + name + " = " + (*flag ? "true" : "false");
    };
    add_flag("keep_totals", site.keep_totals);
    add_flag("languages", site.languages);
    text += '\n';
    for (const auto& goal : site.goals) {
      text += "[[site.goal]]\n" + std::string(goal_type_name(goal.type)) + " = " +
              quoted(goal.value) + '\n';
      if (goal.display_name) text += "display_name = " + quoted(*goal.display_name) + '\n';
    }
    for (const auto& funnel : site.funnels) add_funnel(funnel);
    for (const auto& link : site.links) add_link("[[site.link]]", link);
    for (const auto& exclusion : site.exclusions) {
      const auto label = label_of(exclusion);
      text += "[[site.exclude]]\n" + label.substr(0, label.find(' ')) + " = " +
              quoted(exclusion.value) + '\n';
    }
  }
  return text;
}

}  // namespace analytics::cli
