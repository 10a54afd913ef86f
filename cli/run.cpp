#include "cli/run.h"

#include <iostream>

#include <fcntl.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/completion.h"
#include "cli/frame/api_client.h"
#include "cli/frame/output.h"
#include "common/run/secret.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

Outcome<Settings> settings_of(const Invocation& invocation, std::istream& in) {
  if (invocation.needs_settings) return load_settings(invocation.flags, read_environment, in);
  Settings settings;
  settings.output = early_form(invocation.flags, read_environment);
  return settings;
}

/// Opens /dev/null on the descriptors 0, 1 and 2 if they are closed. Otherwise a file opened later
/// could get such a number and receive output. Writing to a closed output still fails.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    const int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != fd && opened >= 0) close(opened);
  }
}

int finish(std::ostream& out, std::ostream& err, ExitCode exit, OutputForm form) {
  out.flush();
  if (out.good()) return static_cast<int>(exit);
  print_failure(err, {ExitCode::kOutput, "the output cannot be written", "output", 0, {}}, form);
  return static_cast<int>(ExitCode::kOutput);
}

}  // namespace

int run(int argc, const char* const* argv, std::istream& in, std::ostream& out, std::ostream& err) {
  auto form = OutputForm::kText;  // output form of error messages
  try {
    occupy_standard_descriptors();
    init_secrets();
    if (argc > 1 && std::string_view(argv[1]) == "__complete") {
      print_completions({argv + 2, argv + argc}, out);
      return finish(out, err, ExitCode::kOk, form);
    }
    const auto [invocation, exit] = parse_arguments(argc, argv, out, err);
    if (!invocation) return finish(out, err, exit, form);
    auto settings = settings_of(*invocation, in);
    if (!settings) {
      print_failure(err, settings.error(), early_form(invocation->flags, read_environment));
      return static_cast<int>(settings.error().exit);
    }
    form = settings->output;
    const bool is_ndjson = form == OutputForm::kNdjson;
    if ((is_ndjson || form == OutputForm::kHtml) && invocation->own_form != form) {
      print_failure(err,
                    {ExitCode::kUsage,
                     is_ndjson ? "-o ndjson is valid only for export events"
                               : "-o html is valid only for report",
                     "usage",
                     0,
                     {}},
                    form);
      return static_cast<int>(ExitCode::kUsage);
    }
    settings->quiet = invocation->quiet;
    settings->verbose = invocation->verbose;
    settings->debug_http = invocation->debug_http;
    settings->dry_run = invocation->dry_run;
    if (!settings->quiet && form != OutputForm::kJson) {
      for (const auto& warning : settings->warnings) {
        err << "analytics: warning: " << visible(warning) << '\n';
      }
    }
    const HttpLibrary library;
    const SystemClock clock;
    ApiClient api(*settings, err, clock);
    Context context{*settings,
                    api,
                    in,
                    out,
                    err,
                    clock,
                    &in == &std::cin && isatty(STDIN_FILENO) == 1,
                    &out == &std::cout && isatty(STDOUT_FILENO) == 1,
                    &err == &std::cerr && isatty(STDERR_FILENO) == 1};
    const auto done = invocation->command(context);
    if (done) return finish(out, err, *done, form);
    print_failure(err, done.error(), form);
    return static_cast<int>(done.error().exit);
  } catch (const std::exception& error) {
    print_failure(err, {ExitCode::kUnexpected, error.what(), "unexpected", 0, {}}, form);
    return static_cast<int>(ExitCode::kUnexpected);
  }
}

}  // namespace analytics::cli
