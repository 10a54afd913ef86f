#include "cli/run.h"

#include <cstdlib>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

#include "cli/api_client.h"
#include "cli/args.h"
#include "cli/output.h"
#include "common/secret.h"

namespace analytics::cli {
namespace {

std::optional<std::string> read_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Files opened later must not land on a closed 0, 1 or 2: what is printed would go into them. A
/// closed output stays one that cannot be written.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    const int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened != fd && opened >= 0) close(opened);
  }
}

int finish(std::ostream& out, std::ostream& err, ExitCode exit) {
  out.flush();
  if (out.good()) return static_cast<int>(exit);
  err << "analytics: the output cannot be written\n";
  return static_cast<int>(ExitCode::kOutput);
}

}  // namespace

int run(int argc, const char* const* argv, std::istream& in, std::ostream& out, std::ostream& err) {
  try {
    occupy_standard_descriptors();
    init_secrets();
    const auto [invocation, exit] = parse_arguments(argc, argv, out, err);
    if (!invocation) return finish(out, err, exit);
    auto settings = invocation->needs_settings ? load_settings(invocation->flags, read_variable, in)
                                               : Outcome<Settings>(Settings{});
    if (!settings) {
      const auto form = invocation->flags.find("output");
      const bool json = form != invocation->flags.end()
                            ? form->second == "json"
                            : read_variable("ANALYTICS_OUTPUT").value_or("") == "json";
      print_failure(err, settings.error(), json ? OutputForm::kJson : OutputForm::kText);
      return static_cast<int>(settings.error().exit);
    }
    if (settings->output == OutputForm::kNdjson && !invocation->takes_ndjson) {
      print_failure(err, {ExitCode::kUsage, "-o ndjson is for export events alone", "usage", 0, {}},
                    OutputForm::kText);
      return static_cast<int>(ExitCode::kUsage);
    }
    settings->quiet = invocation->quiet;
    settings->verbose = invocation->verbose;
    settings->debug_http = invocation->debug_http;
    settings->dry_run = invocation->dry_run;
    const HttpLibrary library;
    ApiClient api(*settings, err);
    Context context{*settings,
                    api,
                    in,
                    out,
                    err,
                    &in == &std::cin && isatty(STDIN_FILENO) == 1,
                    &out == &std::cout && isatty(STDOUT_FILENO) == 1,
                    &err == &std::cerr && isatty(STDERR_FILENO) == 1};
    const auto done = invocation->command(context);
    if (done) return finish(out, err, *done);
    print_failure(err, done.error(), settings->output);
    return static_cast<int>(done.error().exit);
  } catch (const std::exception& error) {
    err << "analytics: " << error.what() << '\n';
    return static_cast<int>(ExitCode::kUnexpected);
  }
}

}  // namespace analytics::cli
