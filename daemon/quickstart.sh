#!/bin/sh
# From a checkout to a running service with events in it: installs packages, builds, starts the
# daemon on a fresh file, issues a key, provisions a site, replays the sample, shows the result.
# On a terminal the daemon stays up until Ctrl-C; elsewhere it ends with 0.
set -eu
cd "$(dirname "$0")/.."

# Compiling everything takes this many runs of the loop below, on one core.
runs_to_compile=4500
about_minutes() {
  begin=$(date +%s%N)
  awk 'BEGIN { for (i = 0; i < 4000000; i++) x += i }'
  end=$(date +%s%N)
  echo $(((end - begin) * runs_to_compile / $(nproc) / 60000000000 + 1))
}
cat <<EOF
This builds analyticsd and analytics, starts the daemon on a new file with a sample of events, and
shows what it counted. It changes nothing but build/ and, if some are missing, Debian's packages.
  1. install missing packages (asks for root's rights)
  2. compile: about $(about_minutes) minutes here, less where ccache has seen the sources before
  3. start the service and replay the sample
EOF
echo "== 1. packages"
sh daemon/packaging/install-packages.sh
echo "== 2. compile"
cmake --preset release -DANALYTICS_TESTS=OFF >/dev/null
NINJA_STATUS='[%p] ' cmake --build --preset release --parallel "$(nproc)" --target analyticsd analytics
echo "== 3. start"
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
[ ! -t 1 ] || "$bin/analytics" stats --site demo.example --period day
cat <<EOF

The page of the site: ${link#* }

Three commands to try while the daemon runs, from this folder in another terminal:
  export ANALYTICS_URL=$ANALYTICS_URL ANALYTICS_API_KEY_FILE=$ANALYTICS_API_KEY_FILE
  $bin/analytics stats --site demo.example --by source
  $bin/analytics send --site demo.example --url https://demo.example/pricing
  $bin/analytics watch --site demo.example
Then README.md: Install.
EOF
if [ -t 0 ] && [ -t 1 ]; then
  echo "Ctrl-C ends the daemon and removes its data."
  wait "$daemon"
fi
