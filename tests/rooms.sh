#!/usr/bin/env bash
# Prints a line for each call of analytics_room(): its folder, its library, and the libraries it
# uses.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck disable=SC2016  # awk's own names
find common daemon cli -name CMakeLists.txt -print0 | sort -z | xargs -0 awk '
  function end_room() { if (name != "") print folder, name uses; name = "" }
  /^analytics_room\(/ {
    end_room()
    folder = FILENAME
    sub(/\/CMakeLists.txt$/, "", folder)
    name = $0
    sub(/^analytics_room\(/, "", name)
    part = uses = ""
    next
  }
  name == "" { next }
  {
    line = $0
    closes = sub(/\)$/, "", line)
    gsub(/^ +| +$/, "", line)
    if (line ~ /^[A-Z]+$/) part = line
    else if (part == "USES" && line != "") uses = uses " " line
    if (closes) end_room()
  }'
