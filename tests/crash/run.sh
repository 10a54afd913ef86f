#!/bin/sh
# Runs the crash tests on the debug build: as CI does, or, with --full, with their full counts (about
# an hour).
set -eu
cd "$(dirname "$0")/../.."
cmake --preset debug >/dev/null
cmake --build --preset debug
if [ "${1:-}" = --full ]; then
  export ANALYTICS_CRASH_FULL=1
  build/debug/tests/crash_tests --durations yes
  [ ! -x build/debug/tests/cluster_tests ] || build/debug/tests/cluster_tests --durations yes
  exit
fi
ctest --preset debug -L e2e
