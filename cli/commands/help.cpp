#include <ostream>

#include "cli/commands/commands.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

struct Topic {
  const char* name;
  const char* text;
};
constexpr Topic kTopics[] = {
    {"environment", R"(ENVIRONMENT
  ANALYTICS_URL            the service; default http://127.0.0.1:8000
  ANALYTICS_API_KEY_FILE   a file that holds the API key
  ANALYTICS_API_KEY        the API key itself
  ANALYTICS_CONFIG         a settings file in place of the user's
  ANALYTICS_PROFILE        a [profile.NAME] section of that file
  ANALYTICS_OUTPUT         text, json or csv
  ANALYTICS_PROGRESS       auto, bar, plain, json or none
  ANALYTICS_TIMEOUT        of a request, such as 30s
  ANALYTICS_RETRIES        attempts after the first
  ANALYTICS_NO_INPUT       true: never prompt
  NO_COLOR, CLICOLOR_FORCE no colour; colour without a terminal too
)"},
    {"exit-codes", R"(EXIT CODES
  0    done, or already so
  1    anything unexpected
  2    wrong use, or a request the server calls wrong (400, 413, 415, 422)
  3    set-up: settings, key or input file missing or invalid
  4    the key is missing, unknown or lacks a permission (401, 403)
  5    the named thing does not exist
  6    conflict: it exists already, or the server cannot take what was asked
  7    the service is unavailable after all retries; safe to run again
  8    replay finished, but some records were rejected or dropped as unknown_site;
       the event of send was dropped
  9    replay check found records that the server does not hold
  10   output, a checkpoint or a reject file cannot be written
  129, 130, 143   ended by HUP, INT, TERM
)"},
    {"formats", R"(FORMATS that replay reads, plain or packed by gzip, zstd, bzip2 or xz
  ndjson     a JSON object a line: the body of POST /api/event (domain, name, url, referrer,
             props, revenue …) plus timestamp, ip, user_agent
  csv        with a header; columns of other names by --map url=page
  json       logs of requests with an object a line: nginx, Traefik, Envoy, Cloudflare, Google's
             load balancers; others by --map target=path --map status=code …
  combined, common           access logs of Apache, nginx and Traefik
  combined-vhost, common-vhost
                             the same with the host's name before or after the address
  caddy                      Caddy's JSON access log
  w3c                        W3C extended logs with their header: IIS, CloudFront
  alb, s3                    AWS application load balancers; S3 server access logs
  haproxy, envoy             HAProxy's httplog (times taken for UTC); Envoy's default
  rejects                    what --rejects has written
  auto                       found by the first record (the default)
  Of access logs, only GETs answered with 2xx or 304 and no assets become pageviews.
)"},
    {"config", R"(SETTINGS, the highest first
  command line > environment > [profile.NAME] of the user's file > user's file > system file

  User's file    $XDG_CONFIG_HOME/analytics/config.toml (~/.config/analytics/config.toml)
  System file    /etc/analytics/config.toml

  url = "https://stats.example.com"
  api_key_file = "/etc/analytics/key"
  output = "text"
  retries = 8

  'analytics config show' prints every setting and where it came from.
)"},
};

}  // namespace

Outcome<ExitCode> show_help(const std::string& topic, Context& context) {
  std::string names;
  for (const auto& known : kTopics) {
    if (topic == known.name) {
      context.out << known.text;
      return ExitCode::kOk;
    }
    names += std::string(names.empty() ? "" : ", ") + known.name;
  }
  return give_up(ExitCode::kUsage, "there is help on " + names + "; commands have --help", "usage");
}

}  // namespace analytics::cli
