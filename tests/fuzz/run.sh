#!/bin/sh
# Fuzzes every target for that many seconds (60 each), starting from its corpus. Findings stay in
# build/fuzz/findings. Needs clang.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz_targets
mkdir -p build/fuzz/findings build/fuzz/grown
for target in build/fuzz/tests/fuzz_*; do
  name=$(basename "$target" | sed 's/^fuzz_//')
  mkdir -p "build/fuzz/grown/$name"
  echo "== $name"
  "$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=5 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/findings/$name-" "build/fuzz/grown/$name" "tests/fuzz/corpus/$name" \
    2>&1 | grep -E 'stat::number_of_executed_units|ERROR|SUMMARY|not so' || true
done
if [ -n "$(ls build/fuzz/findings)" ]; then
  ls build/fuzz/findings >&2
  exit 1
fi
