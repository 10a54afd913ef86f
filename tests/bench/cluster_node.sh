# shellcheck shell=bash disable=SC2034  # the sourcing scripts use these variables
# Sourced by scripts in this folder that need a node of a cluster. Starts PostgreSQL, ClickHouse and
# a daemon with a key and the site demo.example. Ends the three and removes their files when the
# script ends.
pg=$(find /usr/lib/postgresql -name initdb 2>/dev/null | sort -V | tail -n 1)
pg=${pg%/initdb}
if [ -z "$pg" ] || ! command -v clickhouse-server >/dev/null; then
  echo "clickhouse-server and postgresql are needed" >&2
  exit 77
fi
cmake --preset release -DANALYTICS_TESTS=ON >/dev/null
cmake --build --preset release --target analyticsd analytics generate_events >&2
bin=$PWD/build/release/bin
work=$(mktemp -d)
server="" registry="" daemon=""
trap 'kill $daemon $server $registry 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/state ANALYTICS_API_KEY_FILE=$work/key

as_postgres=""
mkdir "$work/pg"
if [ "$(id -u)" -eq 0 ]; then
  as_postgres="setpriv --reuid=postgres --regid=postgres --clear-groups"
  chmod 711 "$work"
  chown postgres "$work/pg"
fi
$as_postgres "$pg/initdb" -D "$work/pg" -A trust -U analytics --no-sync --no-locale -E UTF8 >/dev/null
. tests/bench/clickhouse.sh
start_clickhouse 28423 28523 28623
start_postgres() {
  $as_postgres "$pg/postgres" -D "$work/pg" -p $((port + 2)) -h 127.0.0.1 -k '' >>"$work/pg.log" 2>&1 &
  registry=$!
}
start_postgres
until "$pg/createdb" -h 127.0.0.1 -p $((port + 2)) -U analytics analytics 2>/dev/null; do kill -0 $registry || exit 1; sleep 0.2; done
by_hand() { curl -sf --data-binary "$1" "http://127.0.0.1:$port/?database=analytics"; }
curl -sf --data-binary 'CREATE DATABASE analytics' "http://127.0.0.1:$port/"
tr -dc 'A-Za-z0-9' </dev/urandom | head -c 40 >"$work/cluster.key" || true
cat >"$work/settings.toml" <<TOML
[cluster]
events = "http://127.0.0.1:$port/analytics"
registry = "postgresql://analytics@127.0.0.1:$((port + 2))/analytics"
key_file = "$work/cluster.key"
node = "a"
TOML
"$bin/analyticsd" --db "$work/a.db" --config "$work/settings.toml" --listen 127.0.0.1:0 2>"$work/log" &
daemon=$!
until grep -q '^listening' "$work/log"; do kill -0 $daemon || exit 1; sleep 0.05; done
ANALYTICS_URL=$(sed -n 's/^listening on //p' "$work/log")
export ANALYTICS_URL
"$bin/analyticsd" keys create --account bench --db "$work/a.db" --out "$work/key" >/dev/null 2>&1
"$bin/analytics" -q sites create demo.example
