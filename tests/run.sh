#!/bin/sh
# Installs what is missing, builds, and passes every test; then, without an argument, the same tests
# under the sanitizers with fewer crash rounds, and the benchmarks in short. Argument: one preset alone. From anywhere.
set -eu
cd "$(dirname "$0")/.."
sh daemon/packaging/install-packages.sh tests
shellcheck -x daemon/*.sh daemon/packaging/*.sh tests/*.sh tests/bench/*.sh tests/crash/*.sh tests/fuzz/*.sh .ci/run
bash tests/check_layers.sh
sh tests/check_sizes.sh
case $(clang-format --version) in  # others format otherwise
  *" 14."*) git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run -Werror ;;
esac

pass() {  # preset, options of ctest
  cmake --preset "$1" -DANALYTICS_TESTS=ON >/dev/null
  cmake --build --preset "$1"
  ctest --preset "$@"
}
pass "${1:-debug}"
[ $# -eq 0 ] || exit 0
(
  export ANALYTICS_CRASH_ROUNDS=3
  pass asan
  pass tsan -E '^(query|undo|wildcard|user agent): ' # models of one thread, which take minutes here
)
bash tests/bench/run.sh --short # that they work; the figures are for people
bash tests/bench/queries.sh --short
