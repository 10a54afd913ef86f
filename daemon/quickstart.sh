#!/bin/sh
# From a checkout to a running service with events in it: installs packages, builds, starts the
# daemon on a fresh file, issues a key, provisions a site, replays the sample, shows the result.
# On a terminal the daemon stays up until Ctrl-C; elsewhere it ends with 0.
set -eu
cd "$(dirname "$0")/.."
sh daemon/packaging/install-packages.sh
cmake --preset release -DANALYTICS_TESTS=OFF >/dev/null
cmake --build --preset release --target analyticsd analytics
bin=build/release/bin

work=$(mktemp -d)
daemon=""
finish() {
  if [ -n "$daemon" ]; then
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 0' INT TERM

"$bin/analyticsd" keys create --init --account quickstart --label "made by quickstart.sh" \
  --db "$work/analytics.db" --out "$work/key"
"$bin/analyticsd" serve --db "$work/analytics.db" --listen 127.0.0.1:0 2>"$work/log" &
daemon=$!
until grep -q '^listening on ' "$work/log"; do
  kill -0 "$daemon" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
  sleep 0.1
done
ANALYTICS_URL=$(sed -n 's/^listening on //p' "$work/log" | head -n 1)
ANALYTICS_API_KEY_FILE=$work/key
export ANALYTICS_URL ANALYTICS_API_KEY_FILE
echo "analyticsd is up at $ANALYTICS_URL"

"$bin/analytics" sites create demo.example --timezone Europe/Berlin --if-not-exists
"$bin/analytics" goals ensure --site demo.example --event Signup
"$bin/analytics" replay tests/data/sample.ndjson --time now
link=$("$bin/analytics" links ensure --site demo.example Quickstart)
echo "stored events, by name:"
sqlite3 -readonly "$work/analytics.db" \
  "SELECT '  ' || count(*) || '  ' || name FROM event_text GROUP BY name ORDER BY count(*) DESC"
echo "the shared page: ${link#* }"
if [ -t 0 ] && [ -t 1 ]; then
  echo "the API key is in $work/key; Ctrl-C ends the daemon and removes its data"
  wait "$daemon"
fi
