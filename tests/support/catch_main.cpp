#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include "common/http_client.h"
#include "common/secret.h"

int main(int argc, char** argv) {
  analytics::init_secrets();
  const analytics::HttpLibrary library;
  return Catch::Session().run(argc, argv);
}
