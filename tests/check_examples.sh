#!/usr/bin/env bash
# Runs every example of --help and of the man pages against a real daemon, and the operator's
# commands in the guides. Argument: the folder of the binaries.
set -euo pipefail
bin=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
source=$PWD
work=$(mktemp -d)
trap 'kill "$daemon" 2>/dev/null || true; rm -rf "$work"' EXIT
PATH=$bin:$PATH

{
  analytics --help
  while read -r words; do
    # shellcheck disable=SC2086  # words of a command
    analytics $words --help
  done < <(analytics __complete commands)
  sed -n 's/^\.Dl /  /p' man/*.[17] | sed 's/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\e/\\/g'
} | grep -E '^  (analytics|curl) ' | sed 's/^  //' | sort -u >"$work/examples"

cd "$work"
analyticsd keys create --init --account test --db "$work/data/a.db" >key
cp key stats.key
analyticsd --db "$work/data/a.db" --listen 127.0.0.1:0 2>log &
daemon=$!
until grep -q '^listening' log; do
  kill -0 "$daemon"
  sleep 0.1
done
ANALYTICS_URL=$(sed -n 's/^listening on //p' log)
export ANALYTICS_URL ANALYTICS_API_KEY_FILE=$work/key XDG_STATE_HOME=$work/state
analytics -q sites create example.com
analytics -q sites create demo.example
head -n 20 "$source/tests/data/sample.ndjson" >events.ndjson
printf '2Path,Event,Session,Bot,Referrer,Referrer scheme,FirstVisit,Date\n/,0,1-2,0,,,1,2025-05-17T10:05:03Z\n' >events.csv
printf 'page,timestamp\nhttps://example.com/,2025-05-17T10:05:03Z\n' >visits.csv
echo '1.2.3.4 - - [17/May/2025:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "UA"' | gzip >access.log.gz
echo '1.2.3.4 - - [17/May/2025:10:05:03 +0000] "GET / HTTP/1.1" 200' >apache.log
echo '1.2.3.4 [17/May/2025:10:05:03 +0000] "GET / HTTP/1.1" 200' >nginx.log
echo '1.2.3.5 [17/May/2025:10:05:03 +0000] "GET / HTTP/1.1" 200' >caddy.log
echo '1.2.3.4 2025-05-17T10:05:03Z /' >app.log
cp events.csv goatcounter.csv
printf 'session_id,visit_id,hostname,url_path,referrer_domain,event_type,event_name,created_at\n1,2,example.com,/,,1,,2025-05-17 10:05:03\n' >website_event.csv
printf 'session_id,website_id,browser,os,device\n1,w,chrome,Linux,desktop\n' >session.csv
printf 'event_id,website_id,data_key,string_value\n1,w,plan,pro\n' >event_data.csv
printf "INSERT INTO website_event (event_id, session_id, hostname, url_path, event_type, created_at)\n" >umami.sql
printf "VALUES (1, 1, 'example.com', '/', 1, '2025-05-17 10:05:04');\n" >>umami.sql
echo '[{"idVisit":1,"visitorId":"a","actionDetails":[{"type":"action","url":"https://example.com/","timestamp":1747476303}]}]' >visits.json
echo '{"event_name":"page_view","event_timestamp":1747476303000000,"user_pseudo_id":"a","event_params":[{"key":"page_location","value":{"string_value":"https://example.com/"}}]}' >bigquery.json
printf 'date,visitors,pageviews\n2025-05-18,5,9\n' >goatcounter.zip
printf 'Date,Sessions,Views\n20250519,5,9\n' >ga4.csv
# The format of a file is recognised by its content, so the name is that of a zip archive.
printf 'date,visitors,pageviews\n2025-05-17,5,9\n' >example_com_20261124.zip

ran=0
while read -r example; do
  # The first example of `sites create` would fail, because its site exists already.
  if [ "$example" = "analytics sites create example.com" ]; then
    analytics -q sites delete example.com --confirm example.com
  fi
  analytics export sites >sites.toml # `diff` finds no difference to this file
  if ! bash -c "$example" >out 2>&1 </dev/null; then
    echo "failed: $example" >&2
    cat out >&2
    exit 1
  fi
  # Undoes the changes of each example, so that their order does not matter.
  analytics -q sites create example.com --if-not-exists >/dev/null 2>&1 || true
  analytics -q sites update example.com --timezone Europe/Berlin >/dev/null
  ran=$((ran + 1))
done <examples
echo "$ran examples ran"
[ "$ran" -ge 15 ]

# `demo`, `setup`, `cluster`, and `restore`, which needs a stopped daemon, have their own tests.
mkdir operator
cd operator
ran=0
while read -r command; do
  code=0
  bash -c "$command --db '$work/data/a.db'" >out 2>&1 </dev/null || code=$?
  case "$code $command" in
    0\ * | 1\ *doctor*) ;;
    *)
      echo "failed: $command" >&2
      cat out >&2
      exit 1
      ;;
  esac
  ran=$((ran + 1))
done < <(sed -n 's/^\.Dl \(sudo \)\{0,1\}\(analyticsd .*\)/\2/p' "$source"/man/*.7 |
  grep -vE '^analyticsd (cluster|demo|restore|setup)' | sort -u)
echo "$ran commands of the operator ran"
[ "$ran" -ge 5 ]
