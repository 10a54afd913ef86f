#!/bin/sh
# Runs the crash tests as tests/run.sh does, or, with --full, with their full counts (about two
# hours).
set -eu
cd "$(dirname "$0")/../.."
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release
if [ "${1:-}" = --full ]; then
  export ANALYTICS_CRASH_FULL=1
  tests=build/release/tests
  for cases in crash cluster; do
    [ ! -x $tests/${cases}_tests ] || $tests/sandbox $tests/${cases}_tests --durations yes
  done
  $tests/daemon_tests --durations yes '[query],[totals]'
  exit
fi
ctest --preset release -L crash
