#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include "common/io/http_client.h"
#include "common/run/secret.h"
#include "tests/support/daemon_process.h"

int main(int argc, char** argv) {
  analytics::init_secrets();
  const analytics::HttpLibrary library;
  const int failed = Catch::Session().run(argc, argv);
  return failed == 0 && analytics::test::unclean_ends() > 0 ? 1 : failed;
}
