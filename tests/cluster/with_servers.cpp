#include <iostream>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/cluster/clickhouse_process.h"
#include "tests/cluster/postgres_process.h"

/// with_servers COMMAND…: runs a test program with servers of ClickHouse and PostgreSQL, so that
/// each of its daemons is a node of a cluster: see cluster_of_one.h. Exits with 0 if the command
/// does, else with 1.
int main(int argc, char** argv) {
  using namespace analytics::test;
  if (argc < 2) {
    std::cerr << "usage: with_servers COMMAND...\n";
    return 2;
  }
  ClickHouseProcess clickhouse;
  PostgresProcess postgres;
  setenv("ANALYTICS_TEST_CLICKHOUSE", clickhouse.server().c_str(), 1);
  setenv("ANALYTICS_TEST_POSTGRES", postgres.url().c_str(), 1);
  const auto child = fork();
  if (child == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int state = 0;
  if (child < 0 || waitpid(child, &state, 0) != child) return 1;
  return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? 0 : 1;
}
