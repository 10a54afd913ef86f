#!/bin/sh
# A cluster on this machine, from a checkout: installs packages, builds, and starts PostgreSQL,
# ClickHouse, three nodes and HAProxy on loopback, with files of their own. Provisions a site and
# replays the sample through HAProxy, kills a node on the way, and shows that every node answers
# with the same numbers. Ends by itself, and leaves nothing but the packages and build/. With a folder
# of the programs as argument, nothing is installed and built.
set -eu
if [ $# -gt 0 ]; then
  bin=$(cd "$1" && pwd)
  cd "$(dirname "$0")/../.."
else
  cd "$(dirname "$0")/../.."
  sh daemon/packaging/install-packages.sh cluster
  cmake --preset release -DANALYTICS_TESTS=OFF >/dev/null
  cmake --build --preset release --target analyticsd analytics
  bin=$PWD/build/release/bin
fi

umask 077 # keys
work=$(mktemp -d)
finish() {
  for file in "$work"/*.pid; do
    [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null || true
  done
  wait
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
step() { printf '\n== %s\n' "$*"; }

# Starts a server in the background, on a port that was free: NAME CHECK COMMAND…, in which PORT
# stands for it. Sets `port`.
serve() {
  name=$1 check=$2
  shift 2
  for port in 28017 28117 28217 28317 28417; do
    command=$(printf '%s\n' "$*" | sed "s/PORT/$port/g")
    sed "s/PORT/$port/g" "$work/$name.in" >"$work/$name.conf" 2>/dev/null || true
    chmod a+r "$work/$name.conf"
    sh -c "exec $command" >"$work/$name.log" 2>&1 &
    echo $! >"$work/$name.pid"
    until sh -c "$(printf '%s\n' "$check" | sed "s/PORT/$port/g")" >/dev/null 2>&1; do
      kill -0 "$(cat "$work/$name.pid")" 2>/dev/null || continue 2
      sleep 0.2
    done
    return 0
  done
  cat "$work/$name.log" >&2
  exit 1
}

step "PostgreSQL, for sites, keys and salts"
pg=$(find /usr/lib/postgresql -name initdb | sort -V | tail -n 1)
pg=${pg%/initdb}
as_postgres=""
mkdir "$work/pg"
if [ "$(id -u)" -eq 0 ]; then
  as_postgres="setpriv --reuid=postgres --regid=postgres --clear-groups"
  chmod 711 "$work"
  chown postgres "$work/pg"
fi
$as_postgres "$pg/initdb" -D "$work/pg" -A trust -U analytics --no-locale -E UTF8 >/dev/null
: >"$work/postgres.in"
serve postgres "$pg/psql -h 127.0.0.1 -p PORT -U analytics -c 'SELECT 1' postgres" \
  "$as_postgres $pg/postgres -D $work/pg -p PORT -h 127.0.0.1 -k ''"
"$pg/createdb" -h 127.0.0.1 -p "$port" -U analytics analytics
registry=postgresql://analytics@127.0.0.1:$port/analytics

step "ClickHouse, for events and visits"
cat >"$work/clickhouse.in" <<XML
<yandex>
<logger><level>warning</level><log>$work/clickhouse.out</log><errorlog>$work/clickhouse.err</errorlog></logger>
<http_port>PORT</http_port><listen_host>127.0.0.1</listen_host>
<path>$work/clickhouse/</path><tmp_path>$work/clickhouse/tmp/</tmp_path>
<users_config>$work/users.xml</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>
</yandex>
XML
cat >"$work/users.xml" <<XML
<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>
XML
serve clickhouse "curl -sf http://127.0.0.1:PORT/?query=SELECT+1" \
  "clickhouse-server --config-file=$work/clickhouse.conf"
events=http://127.0.0.1:$port/analytics
curl -sf --data-binary 'CREATE DATABASE analytics' "http://127.0.0.1:$port/"

step "three nodes"
tr -dc 'A-Za-z0-9' </dev/urandom | head -c 40 >"$work/cluster.key"
start() { # node, where it listens
  mkdir -p "$work/$1"
  cat >"$work/$1/settings.toml" <<TOML
trusted_proxies = ["loopback"]
[cluster]
events = "$events"
registry = "$registry"
key_file = "$work/cluster.key"
node = "$1"
TOML
  : >"$work/$1/log"
  "$bin/analyticsd" --db "$work/$1/a.db" --config "$work/$1/settings.toml" --listen "$2" 2>"$work/$1/log" &
  echo $! >"$work/node-$1.pid"
  until grep -q '^listening on ' "$work/$1/log"; do
    kill -0 "$(cat "$work/node-$1.pid")" || { cat "$work/$1/log" >&2; exit 1; }
    sleep 0.1
  done
}
address() { sed -n 's#^listening on http://##p' "$work/$1/log"; }
for node in a b c; do
  start $node 127.0.0.1:0
  echo "node $node listens on $(address $node)"
done

step "HAProxy before them, as in daemon/packaging/examples/haproxy-cluster.cfg"
sed -e '/^frontend plain/,/^$/d; s/bind :443 .*/bind 127.0.0.1:PORT/; s/maxconn .*/maxconn 500/' \
  -e "s/10\.0\.0\.11:8000/$(address a)/; s/10\.0\.0\.12:8000/$(address b)/; s/10\.0\.0\.13:8000/$(address c)/" \
  daemon/packaging/examples/haproxy-cluster.cfg >"$work/haproxy.in"
serve haproxy "curl -sf http://127.0.0.1:PORT/api/health" "haproxy -db -f $work/haproxy.conf"
export ANALYTICS_URL="http://127.0.0.1:$port" ANALYTICS_API_KEY_FILE="$work/key" XDG_STATE_HOME="$work/state"
echo "the cluster is at $ANALYTICS_URL"

step "a key made on node a, a site and a goal by way of HAProxy"
"$bin/analyticsd" keys create --account demo --db "$work/a/a.db" --out "$work/key"
"$bin/analytics" sites create demo.example --timezone Europe/Berlin --if-not-exists
"$bin/analytics" goals ensure --site demo.example --event Signup

step "the sample, of which a node is killed that takes it in"
split -n l/6 tests/data/sample.ndjson "$work/sample-"
for file in "$work"/sample-a?; do # each is an import, which one node accepts
  "$bin/analytics" -q --retries 30 replay "$file" --time now &
  echo $! >"$file.pid"
done
kill -KILL "$(cat "$work/node-b.pid")"
where=$(address b)
echo "node b was killed"
sleep 2
start b "$where"
echo "node b is back"
for file in "$work"/sample-a?; do
  wait "$(cat "$file.pid")"
  rm "$file.pid"
done
echo "each of $(wc -l <tests/data/sample.ndjson) lines was acknowledged"

step "what each node answers"
ask() { # node
  curl -sf -H "Authorization: Bearer $(cat "$work/key")" -H 'Content-Type: application/json' \
    -d '{"site_id":"demo.example","date_range":"all","metrics":["visitors","visits","pageviews","events"]}' \
    "http://$(address "$1")/api/v2/query" | sed 's/^{"results":\[{"metrics":\(\[[0-9,]*\]\).*/\1/'
}
stored=0
for node in a b c; do
  own=$(sqlite3 -readonly "$work/$node/a.db" 'SELECT count(*) FROM events')
  stored=$((stored + own))
  echo "node $node accepted $own events"
done
[ $stored = "$(wc -l <tests/data/sample.ndjson)" ]
tries=0
for node in a b c; do # all nodes answer with all events within seconds
  until ask $node | grep -q ",$stored]$"; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo "node $node answers $(ask $node)" >&2; exit 1; }
    sleep 0.2
  done
done
for node in a b c; do echo "node $node answers visitors, visits, pageviews, events: $(ask $node)"; done
"$bin/analyticsd" cluster status --db "$work/a/a.db" --config "$work/a/settings.toml"
