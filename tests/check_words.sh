#!/bin/sh
# Counts turns of phrase that do not read as a native engineer writes, in comments, messages,
# documents and names of tests. Fails if more than 3 of 1,000 lines of prose have one. With -v it
# lists them.
set -eu
cd "$(dirname "$0")/.."
begin='(:[0-9]+:[[:space:]]*(//+<?|#|"|-|\*)?[[:space:]]*|[.;:] )' # of a sentence
phrases="$begin(Who|Whoever|Whose|Of|Whether) "                     # a clause as a noun
phrases="$phrases|\\b(nobody|whoever|those who|who (is|has|asks|waits|reads))\\b"
phrases="$phrases|\\b[Oo]f (it|them|these|those)[,.;:]"
phrases="$phrases|\\b(is|are|was|has|have) none\\b|\\b(is|are) to be\\b"
phrases="$phrases|\\bstands? (in|on|at|once|behind|beside|there|first|last|before)\\b"
phrases="$phrases|\\bbehind (the|it|them|its|a|an|each|that)\\b"
phrases="$phrases|\\b(goes|go|went|gone|going) on\\b|\\b(takes?|took|taken) (in|apart|for)\\b"
phrases="$phrases|\\b(anew|hitherto|thereby|therein|mended)\\b|\\b(as|of|if|that) one\\b"
phrases="$phrases|\\bwhat (is there|stands|waits|came|comes|it (is|has|holds))\\b"

prose() {
  git ls-files '*.md' 'man/*' '*.sh' ':!tests/check_words.sh' | xargs grep -HnE '[^[:space:]]'
  git ls-files '*.cpp' '*.h' | xargs grep -HnoE '(^|[[:space:]])//.*|"[^"]* [^"]{10,}"'
}
lines=$(prose | wc -l)
found=$(prose | grep -cE "$phrases" || true)
[ "${1:-}" != -v ] || prose | grep -E "$phrases" || true
[ $((found * 1000)) -le $((lines * 3)) ] && exit
echo "$found of $lines lines of prose have a phrase of tests/check_words.sh -v; at most 3 of 1,000 may" >&2
exit 1
