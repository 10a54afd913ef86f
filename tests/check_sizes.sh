#!/bin/sh
# Fails for a source file over 400 lines that is not a table, for a room of over 20 modules, and for
# test names that ctest misreads.
set -eu
cd "$(dirname "$0")/.."
long=$(git ls-files '*.cpp' '*.h' | xargs wc -l | awk '$2 != "total" && $2 !~ /_table\.cpp$/ && $1 > 400 {print $2 ": " $1 " lines"}')
# Two rooms keep their size until they get a new shape.
large=$(git ls-files 'common/*.cpp' 'common/*.h' 'daemon/*.cpp' 'daemon/*.h' 'cli/*.cpp' 'cli/*.h' | sed 's/\.[a-z]*$//' |
  sort -u | sed 's,/[^/]*$,,' | sort | uniq -c |
  awk '$1 > 20 && $2 != "daemon/cluster" && $2 != "cli/replay/formats" {print $2 ": " $1 " modules"}')
names=$(git grep -hoE 'TEST_CASE\("[^"]*"' -- '*.cpp' | grep -vE 'TEST_CASE\("[A-Za-z0-9 :,()'"'"'/_.=+-]+"$' || true)
if [ -n "$long$large$names" ]; then
  printf '%s\n%s\n%s\n' "$long" "$large" "$names" >&2
  exit 1
fi
