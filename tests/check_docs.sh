#!/bin/sh
# Checks that the man pages have exactly the flags that the programs know, that the pages are
# well-formed, and that every shell completes what the program prints. Argument: the folder of the
# binaries.
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
cat man/analytics.1 man/analytics-replay.1 | sed '/^\.Dl/d' | grep -oE -- 'Fl -[a-z][a-z-]*' |
  sed 's/^Fl /-/' | sort -u >"$work/written"
same "man/analytics*.1" "$work/known" "$work/written"

for command in "" keys "keys create" "keys list" "keys rotate" accounts "accounts list" "accounts delete" \
  "sites move" backup restore check setup "cluster check"; do
  # shellcheck disable=SC2086  # words of a command
  "$bin/analyticsd" $command --help
done | grep -oE -- '--[a-z][a-z-]*' | sort -u >"$work/known"
grep -oE -- 'Fl -[a-z][a-z-]*' man/analyticsd.8 | sed 's/^Fl /-/' | sort -u >"$work/written"
same man/analyticsd.8 "$work/known" "$work/written"

mandoc -T lint -W warning man/*.[1578] >&2 || bad=1

# Each shell completes each line after the program's name; the result is compared with the
# program's.
PATH=$(cd "$bin" && pwd):$PATH
export PATH HOME="$work"
# shellcheck disable=SC2016,SC2317  # other shells' words, called by name
in_bash() {  # bash splits words at ':' and '=', and replaces only the text after the last of these
  bash -c 'source completions/analytics.bash; COMP_LINE="$program $*"; COMP_WORDBREAKS=" :="
    mapfile -t COMP_WORDS < <(grep -oE "[:=]+|[^:= ]+" <<<"$COMP_LINE")
    [[ $COMP_LINE != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _analytics
    last=${!#}; printf "%s\n" "${COMPREPLY[@]/#/"${last%"${last##*[:=]}"}"}"' bash "$@"
}
# shellcheck disable=SC2016,SC2317
in_zsh() {  # functions replace parts of zsh's completion system
  zsh -f -c 'compdef() { }; _files() { }
    _describe() { print -l -- "${(@)${(@P)2}%%:*}" }
    words=($program "$@"); CURRENT=${#words}; source completions/_analytics' zsh "$@"
}
# shellcheck disable=SC2016,SC2317
in_fish() {  # in a folder without a file name that begins like the word, in any case
  fish -c 'source completions/analytics.fish; cd; complete -C "$program $argv"' -- "$*" | cut -f1
}
complete_all() {
  "$program" __complete words "$@" | grep -v '^:files$' | cut -f1 | sort >"$work/known"
  [ -s "$work/known" ] || { echo "nothing completes: $program $*" >&2; bad=1; }
  for shell in bash zsh fish; do
    "in_$shell" "$@" | sort >"$work/written"
    same "$shell: $program $*" "$work/known" "$work/written"
  done
}
export program=analytics
complete_all si
complete_all sites ""
complete_all --json sites ""
complete_all --server http://127.0.0.1:9 --output=json sites ""
complete_all goals ensure --
complete_all sites list -o ""
complete_all --output=j
complete_all stats --metrics visitors,bo
complete_all replay ch
program=analyticsd
complete_all k
complete_all keys ""
complete_all keys create --sc
complete_all serve --
complete_all doctor --output=
exit $bad
