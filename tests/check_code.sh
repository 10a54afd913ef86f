#!/bin/sh
# Runs clang-tidy (.clang-tidy) on the code that ships. Each room is a single source, because
# headers take most of the time. Fails on any finding. Argument: a folder to build in; default
# build/tidy.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/tidy}
cmake --preset release -B "$build" -DCMAKE_CXX_COMPILER=clang++ -DANALYTICS_PCH=OFF \
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DANALYTICS_TESTS=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
cmake --build "$build" --target iso_names country_names >/dev/null # sources that the build makes
# clang-tidy would look for its settings above the source, which the build has generated elsewhere.
said=$(run-clang-tidy -quiet -config "$(cat .clang-tidy)" -p "$build" Unity 2>&1) && exit
found=$(printf '%s\n' "$said" | sed 's/\x1b\[[0-9;]*m//g' | grep -E '(error|warning): ' | sort -u || true)
printf '%s\n' "${found:-$said}" >&2
exit 1
