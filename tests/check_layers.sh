#!/usr/bin/env bash
# Fails if a file includes a room that its own room may not use, or a fenced outside header; if a
# room lists another as used and includes none of its headers; if two files change the same table of
# the database; or if the table of rooms in ARCHITECTURE.md differs from the build. Reads the rooms
# and what they use from the calls of analytics_room() in the CMakeLists.txt files.
set -euo pipefail
cd "$(dirname "$0")/.."

rooms=$(bash tests/rooms.sh)
declare -A folder_of uses  # library -> folder; folder -> the folders it uses
while read -r folder library _; do folder_of[$library]=$folder; done <<<"$rooms"
while read -r folder library used; do
  for one in $used; do
    target=${folder_of[$one]:-}
    [[ -z $target || $target == "$folder" ]] || uses[$folder]+=" $target"
  done
done <<<"$rooms"

declare -A reach  # folder -> all that it may include, itself too
visit() {  # from, to
  [[ " ${reach[$1]:-} " != *" $2 "* ]] || return 0
  reach[$1]+=" $2"
  local next
  for next in ${uses[$2]:-}; do visit "$1" "$next"; done
}
for folder in "${folder_of[@]}"; do visit "$folder" "$folder"; done

fenced() {  # header, file -> succeeds when that file may include that header
  case $1 in
    boost/*) [[ $2 == daemon/http/*.cpp || $2 == daemon/http/@(listeners|io_thread|connection).h ]] ;;
    libpq-fe.h) [[ $2 == daemon/cluster/postgres.cpp ]] ;;
    sqlite3.h) [[ $2 == daemon/store/sqlite/*.cpp || $2 == cli/replay/tables/disk_index.cpp ]] ;;
    curl/*) [[ $2 == common/io/http_client.cpp ]] ;;
    CLI/*) [[ $2 == */args.cpp || $2 == @(cli|common/args|daemon/commands)/@(command_*|completion).cpp || $2 == common/args/help_formatter.h ]] ;;
    zip.h) [[ $2 == common/io/archive.cpp ]] ;;
    csv.h) [[ $2 == cli/replay/formats/csv_fields.cpp ]] ;;
    re2/*)
      [[ $2 == daemon/enrich/regex_list.cpp || $2 == daemon/model/text_match.cpp ||
        $2 == cli/replay/formats/log_expression.h ]]
      ;;
    toml++/*) [[ $2 == common/io/toml.h ]] ;;
    yaml-cpp/*) [[ $2 == daemon/enrich/user_agent.cpp ]] ;;
    date/*) [[ $2 == common/text/local_time.cpp ]] ;;
    maxminddb.h) [[ $2 == daemon/enrich/geo.cpp ]] ;;
    nlohmann/json.hpp) [[ $2 == *.cpp || $2 == common/json/json_instances.h ]] ;;
  esac
}

bad=0
declare -A included  # folder -> the folders that its files include
while IFS=: read -r file line; do
  room=${file%/*}
  [[ $file != daemon/main.cpp ]] || room=daemon/commands
  if [[ $line =~ \"((common|daemon|cli)/[^\"]*)\" ]]; then
    target=${BASH_REMATCH[1]%/*}
    if [[ " ${reach[$room]:-} " != *" $target "* ]]; then
      echo "$file may not include $target"
      bad=1
    fi
    included[$room]+=" $target"
  elif [[ $line =~ \<([^\>]*)\> ]] && ! fenced "${BASH_REMATCH[1]}" "$file"; then
    echo "$file may not include <${BASH_REMATCH[1]}>"
    bad=1
  fi
done < <(grep -rHE '^#include' common daemon cli --include='*.h' --include='*.cpp')

# A room may list only rooms that it includes.
for folder in "${!uses[@]}"; do
  for target in ${uses[$folder]}; do
    if [[ " ${included[$folder]:-} " != *" $target "* ]]; then
      echo "$folder names $target among what it uses, and includes nothing of it"
      bad=1
    fi
  done
done

# Only one file changes each table. Exceptions: meta has rows of several files, and a site's first
# event has its own owner.
while read -r table files; do
  case $table:$files in
    meta:"dictionary event_store expiry registry shared_registry shared_removals" | sites:"first_events sites") ;;
    *\ *)
      echo "the table $table is changed by several files: $files"
      bad=1
      ;;
  esac
done < <(grep -oE '(INSERT[A-Z ]* INTO|UPDATE( OR [A-Z]+)?|DELETE FROM) [a-z_]+' \
    daemon/store/sqlite/{,*/}*.cpp | sed -E 's|.*/([a-z_]+)\.cpp:.* |\1 |' |
  sort -u | awk '{ files[$2] = files[$2] " " $1 } END { for (t in files) print t files[t] }')

sorted() { tr -s ' ' '\n' | sed '/^$/d' | sort -u | xargs; }  # words of a line
built=$(for folder in "${folder_of[@]}"; do
  echo "$folder: $(sorted <<<"${uses[$folder]:-}")"
done | sort -u)
# shellcheck disable=SC2016  # the backticks of Markdown
written=$(sed -nE 's/^\| `([a-z_/]+)\/` \|.*\| ([^|]*) \|$/\1: \2/p' ARCHITECTURE.md |
  while IFS=: read -r folder list; do
    echo "$folder: $(tr ',' ' ' <<<"${list/nothing/}" | sorted)"
  done | sort)
if [[ $built != "$written" ]]; then
  echo "The rooms of the build and of ARCHITECTURE.md differ:"
  diff <(echo "$built") <(echo "$written") || bad=1
fi
exit $bad
