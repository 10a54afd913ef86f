#!/bin/sh
# Every flag that a program knows is in its man pages and in all completions, and the other way
# round; pages and completions are well-formed. Argument: the folder of the binaries.
set -eu
bin=$1
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

same() {  # name, known, written
  if ! diff "$2" "$3" >"$work/diff"; then
    echo "$1: < known to the program only, > written only" >&2
    cat "$work/diff" >&2
    bad=1
  fi
}

"$bin/analytics" __complete flags | sort -u >"$work/known"
for file in completions/analytics.bash completions/_analytics completions/analytics.fish; do
  grep -oE -- '--[a-z][a-z-]*' "$file" | sort -u >"$work/written"
  same "$file" "$work/known" "$work/written"
done
cat man/analytics.1 man/analytics-replay.1 | sed '/^\.Dl/d' | grep -oE -- 'Fl -[a-z][a-z-]*' |
  sed 's/^Fl /-/' | sort -u >"$work/written"
same "man/analytics*.1" "$work/known" "$work/written"

for command in "" keys "keys create"; do
  # shellcheck disable=SC2086  # words of a command
  "$bin/analyticsd" $command --help
done | grep -oE -- '--[a-z][a-z-]*' | sort -u >"$work/known"
grep -oE -- 'Fl -[a-z][a-z-]*' man/analyticsd.8 | sed 's/^Fl /-/' | sort -u >"$work/written"
same man/analyticsd.8 "$work/known" "$work/written"

mandoc -T lint -W warning man/*.[158] >&2 || bad=1
bash -n completions/analytics.bash || bad=1
zsh -n completions/_analytics || bad=1
fish -n completions/analytics.fish || bad=1
exit $bad
