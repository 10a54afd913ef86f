#!/usr/bin/env bash
# Runs the commands of README.md from "The first site" to the end of "A tour", in order and as a
# reader would paste them, in an empty folder. Needs the packages, the running service and sudo.
# usage: readme.sh README.md
set -euo pipefail
readme=$(realpath "$1")
cd "$(mktemp -d)"

for second in $(seq 10 59); do
  echo "203.0.113.$second - - [$(date -d yesterday +%d/%b/%Y):10:00:$second +0000] \"GET /$second HTTP/1.1\" 200 9 \"-\"" \
    '"Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"'
done | gzip >access.log.gz

# Commands are the lines of shell blocks, and in other blocks the lines after a prompt.
awk '/^## / { wanted = /The first site|A tour/ }
  /^```/ { in_block = !in_block; language = substr($0, 4); next }
  wanted && in_block && language == "sh"
  wanted && in_block && language == "" && sub(/^\$ /, "")' "$readme" >commands
[ "$(wc -l <commands)" -ge 15 ]

while read -r command; do
  case $command in
    # The name of an import is a hash of its file, so the listed name is used.
    *"imports undo"*) command="${command% *} $(analytics imports list --site example.com -o json | grep -oE '"id": ?"[0-9a-f]{16}"' | head -n 1 | grep -oE '[0-9a-f]{16}')" ;;
  esac
  code=0
  eval "$command" >out 2>&1 </dev/null || code=$?
  case $command in
    *"apply "*--dry-run) is=9 ;; # 9: something would change
    *) is=0 ;;
  esac
  [ $code = $is ] || {
    echo "README: $command: exit code $code, not $is"
    cat out
    exit 1
  }
  case $command in # carries out the comment beside a command
    *"and add a site"*) printf '[[site]]\ndomain = "shop.example"\n[[site.goal]]\nevent = "Signup"\n' >>sites.toml ;;
  esac
done <commands
