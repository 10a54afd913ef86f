#!/usr/bin/env bash
# Fails when a file includes a layer or an outside header it may not know.
set -euo pipefail
allowed() {  # layer -> layers it may include besides itself
  local low="common daemon/model daemon/store daemon/metrics"
  case $1 in
    common|daemon/model|daemon/http|daemon/web|daemon/metrics|cli/replay) echo common ;;
    daemon/admin) echo "$low" daemon/ingest daemon/http "daemon/store/*" ;;
    daemon/query|daemon/enrich) echo common daemon/model ;;
    daemon/store) echo common daemon/model daemon/query ;;
    daemon/store/*) echo "$low" daemon/query ;;
    daemon/stats) echo "$low" ;;
    daemon/ingest) echo "$low" daemon/enrich ;;
    daemon/jobs) echo "$low" daemon/ingest daemon/stats ;;
    daemon/api) echo "$low" daemon/enrich daemon/ingest daemon/stats daemon/http daemon/web ;;
    daemon) echo common "daemon/*" ;;
    cli) echo common cli/replay ;;
    *) echo "no rule for $1" >&2; exit 1 ;;
  esac
}
fenced() {  # header, file -> succeeds when that file may include that header
  case $1 in
    boost/*) [[ $2 == daemon/http/*.cpp || $2 == daemon/http/@(listeners|connection).h ]] ;;
    sqlite3.h) [[ $2 == daemon/store/sqlite/*.cpp ]] ;;
    libpq*) [[ $2 == daemon/store/postgres/*.cpp ]] ;;
    curl/*) [[ $2 == common/http_client.cpp ]] ;;
    CLI/*) [[ $2 == */args.cpp || $2 == cli/@(command_*|completion).cpp || $2 == common/examples_first.h ]] ;;
    csv.h) [[ $2 == cli/replay/csv_fields.cpp ]] ;;
    re2/*) [[ $2 == daemon/enrich/regex_list.cpp || $2 == daemon/model/text_match.cpp ]] ;;
    yaml-cpp/*) [[ $2 == daemon/enrich/user_agent.cpp ]] ;;
    date/*) [[ $2 == common/local_time.cpp ]] ;;
    maxminddb.h) [[ $2 == daemon/enrich/geo.cpp ]] ;;
    nlohmann/json.hpp) [[ $2 == *.cpp || $2 == common/json_instances.h ]] ;;
  esac
}
bad=0
while IFS=: read -r file line; do
  layer=$(dirname "$file")
  rules=$(allowed "$layer")
  if [[ $line =~ \"((common|daemon|cli)/[^\"]*)\" ]]; then
    target=$(dirname "${BASH_REMATCH[1]}") ok=0
    set -f  # $rules holds patterns
    # shellcheck disable=SC2053
    for a in $layer $rules; do if [[ $target == $a ]]; then ok=1; fi; done
    set +f
    if ((!ok)); then echo "$file may not include $target"; bad=1; fi
  elif [[ $line =~ \<([^\>]*)\> ]] && ! fenced "${BASH_REMATCH[1]}" "$file"; then
    echo "$file may not include <${BASH_REMATCH[1]}>"; bad=1
  fi
done < <(grep -rHE '^#include' common daemon cli --include='*.h' --include='*.cpp')
exit $bad
