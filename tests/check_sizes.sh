#!/bin/sh
# Fails for a source file over 400 lines that is not a table, and for test names that ctest
# misreads.
set -eu
cd "$(dirname "$0")/.."
long=$(git ls-files '*.cpp' '*.h' | xargs wc -l | awk '$2 != "total" && $2 !~ /_table\.cpp$/ && $1 > 400 {print $2 ": " $1 " lines"}')
names=$(git grep -hoE 'TEST_CASE\("[^"]*"' -- '*.cpp' | grep -vE 'TEST_CASE\("[A-Za-z0-9 :,()'"'"'/_.=+-]+"$' || true)
if [ -n "$long$names" ]; then
  printf '%s\n%s\n' "$long" "$names" >&2
  exit 1
fi
