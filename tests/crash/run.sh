#!/bin/sh
# Runs the crash tests on the debug build: as CI does, or, with --full, with their full counts (about
# two hours).
set -eu
cd "$(dirname "$0")/../.."
cmake --preset debug >/dev/null
cmake --build --preset debug
if [ "${1:-}" = --full ]; then
  export ANALYTICS_CRASH_FULL=1
  for tests in crash cluster registry whole_cluster; do
    [ ! -x build/debug/tests/${tests}_tests ] || build/debug/tests/${tests}_tests --durations yes
  done
  build/debug/tests/daemon_tests --durations yes '[query],[totals]'
  exit
fi
ctest --preset debug -L e2e
