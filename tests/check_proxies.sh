#!/usr/bin/env bash
# Tests the example files for reverse proxies, with TLS, against a real daemon whose socket outlives
# it. A client cannot forge its address, bodies have the limit of bulk requests, the tracker works
# below a path of the site, and ten restarts under load refuse no client and lose no event.
# Arguments: the folder of the binaries, the folder of the tests' programs.
set -euo pipefail
bin=$(cd "$1" && pwd)
tools=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
examples=$PWD/daemon/packaging/examples
script=$PWD/tests/data/through_proxy.lua
for program in nginx haproxy caddy wrk openssl; do
  if ! command -v "$program" >/dev/null; then
    echo "skipped: $program (a Debian package of that name) is not there" >&2
    [ "${ANALYTICS_NO_SKIP:-}" != 1 ] || exit 1
    exit 77
  fi
done
work=$(mktemp -d)
unit="" proxy=""
trap 'kill $proxy $unit 2>/dev/null || true; rm -rf "$work"' EXIT

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=stats.example.com \
  -addext subjectAltName=DNS:stats.example.com,DNS:www.example.com,IP:127.0.0.1 \
  -keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
cat "$work/cert.pem" "$work/key.pem" >"$work/both.pem"
"$bin/analyticsd" keys create --init --account test --db "$work/a.db" >"$work/key" 2>/dev/null
printf 'trusted_proxies = ["loopback"]\nbase_url = "https://stats.example.com"\nrate_limit_per_hour = 0\n' >"$work/settings"
"$tools/socket_unit" "$bin/analyticsd" --db "$work/a.db" --config "$work/settings" >"$work/port" 2>"$work/log" &
unit=$!
until [ -s "$work/port" ] && grep -q '^listening' "$work/log"; do kill -0 $unit; done
port=$(cat "$work/port")
fail() {
  echo "$name: $*" >&2
  exit 1
}

# Tries several ports in case another program takes one; false if the proxy ends on every port.
start_proxy() {
  for _ in $(seq 20); do
    plain=$((20000 + RANDOM % 6000))
    tls=$((26000 + RANDOM % 6000))
    HOME=$work "start_$name" >"$work/$name.log" 2>&1 &
    proxy=$!
    while kill -0 $proxy 2>/dev/null; do
      [ "$(status stats.example.com /api/health)" != 200 ] || return 0
    done
  done
  cat "$work/$name.log" >&2
  return 1
}
start_nginx() {
  {
    [ "$(id -u)" -ne 0 ] || echo "user root;" # its workers write below the folder of this test
    echo "daemon off; pid $work/nginx.pid; error_log $work/proxy.log warn; events { worker_connections 1024; }"
    echo "http { access_log off; client_body_temp_path $work/body; proxy_temp_path $work/proxy; fastcgi_temp_path $work/f;"
    echo "uwsgi_temp_path $work/u; scgi_temp_path $work/s;"
    sed -e "s/127\.0\.0\.1:8000/127.0.0.1:$port/; /\[::\]/d; s/listen 80;/listen 127.0.0.1:$plain;/" \
      -e "s/listen 443/listen 127.0.0.1:$tls/; s#/etc/ssl/.*\.pem#$work/cert.pem#; s#/etc/ssl/.*\.key#$work/key.pem#" \
      "$examples/nginx.conf"
    echo "}"
  } >"$work/nginx.conf"
  nginx -q -t -c "$work/nginx.conf"
  exec nginx -c "$work/nginx.conf"
}
start_haproxy() {
  sed -e "s/127\.0\.0\.1:8000/127.0.0.1:$port/; s/bind :80/bind 127.0.0.1:$plain/; s/bind :443/bind 127.0.0.1:$tls/" \
    -e "s#/etc/ssl/stats.example.com.pem#$work/both.pem#" "$examples/haproxy.cfg" >"$work/haproxy.cfg"
  exec haproxy -db -f "$work/haproxy.cfg"
}
start_caddy() {
  {
    printf '{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port %s\n\thttps_port %s\n}\n' "$plain" "$tls"
    sed -e "s/127\.0\.0\.1:8000/127.0.0.1:$port/" \
      -e "s#^\(stats\|www\)\.example\.com {#&\n\ttls $work/cert.pem $work/key.pem#" "$examples/Caddyfile"
  } >"$work/Caddyfile"
  caddy validate --adapter caddyfile --config "$work/Caddyfile" >/dev/null
  exec caddy run --adapter caddyfile --config "$work/Caddyfile"
}
ask() { # host path [curl options]: through the proxy, by TLS
  local host=$1 path=$2
  shift 2
  curl --silent --cacert "$work/cert.pem" --resolve "$host:$tls:127.0.0.1" "$@" "https://$host:$tls$path"
}
status() { ask "$@" --output "$work/out" --write-out '%{http_code}'; }
count() { sqlite3 -readonly "$work/a.db" "SELECT count($1) FROM events"; }
send() { # path of the site's own, address of the client, forged address
  status www.example.com "$1" --interface "$2" -H "X-Forwarded-For: $3" -H 'Content-Type: application/json' \
    -A 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0' \
    -d "{\"n\":\"pageview\",\"u\":\"https://www.example.com/\",\"d\":\"$site\"}"
}

for name in nginx haproxy caddy; do
  site=$name.example
  start_proxy || fail "does not start"
  key="Authorization: Bearer $(cat "$work/key")"
  [ "$(status stats.example.com /api/v1/sites -H "$key" -d "domain=$site")" = 200 ] || fail "no API"
  [ "$(status www.example.com /stats/js/script.js)" = 200 ] || fail "no tracker under the site's own path"

  # Two clients, each of which forges several addresses.
  before=$(count 'DISTINCT visitor')
  for forged in 203.0.113.1 203.0.113.2 '203.0.113.3, 203.0.113.4'; do
    [ "$(send /stats/api/event 127.0.0.2 "$forged")" = 202 ] || fail "an event was refused: $(cat "$work/out")"
    [ "$(send /stats/api/event 127.0.0.3 "$forged")" = 202 ] || fail "an event was refused"
  done
  [ $(($(count 'DISTINCT visitor') - before)) = 2 ] || fail "addresses can be forged"

  bulk=(stats.example.com /api/v1/events --http1.1 -H "$key" -H 'Content-Type: application/x-ndjson' --data-binary "@$work/large")
  lines() { awk -v n="$1" 'BEGIN { for (; n > 0; n--) printf "%01900d\n", 0 }'; } # no events, so that nothing is stored
  lines 8000 >"$work/large"
  [ "$(status "${bulk[@]}")" = 200 ] || fail "a bulk request of 15 MB does not arrive: $(head -c 300 "$work/out")"
  lines 9000 >"$work/large"
  # A client that closes before it has sent the whole body may lose the answer.
  code=$(status "${bulk[@]}") || code=closed
  [[ $code == 413 || $code == closed ]] || fail "a body of 17 MB is answered $code"

  "$bin/analytics" -q --server "http://127.0.0.1:$port" --api-key-file "$work/key" sites create example.com --if-not-exists
  before=$(count '*')
  wrk -t1 -c16 -d8s --timeout 120s -s "$script" -H 'Host: stats.example.com' "https://127.0.0.1:$tls" >"$work/wrk" &
  load=$!
  restarts=0
  for ((restarts = 0; restarts < 10; restarts++)); do
    ready=$(grep -c '^listening' "$work/log")
    stored=$(count '*')
    # Load precedes each restart, however slow the machine is.
    while kill -0 $load 2>/dev/null && [ "$(count '*')" -lt $((stored + 20)) ]; do :; done
    kill -USR1 $unit
    until [ "$(grep -c '^listening' "$work/log")" -gt "$ready" ]; do kill -0 $unit; done
  done
  wait $load || true
  read -r requests errors < <(sed -n 's/^counted //p' "$work/wrk")
  stored=$(($(count '*') - before))
  if [ "$errors" != 0 ]; then
    grep -E '^(answered|errors)' "$work/wrk" >&2
    tail -n 20 "$work/proxy.log" "$work/$name.log" "$work/log" >&2 || true
    fail "$errors of $requests requests failed during ten restarts"
  fi
  [ "$stored" -ge "$requests" ] || fail "$stored of $requests acknowledged events are there"
  kill $proxy
  wait $proxy || true
  proxy=""
  echo "$name: $requests events through ten restarts"
done
kill $unit
wait $unit
unit=""
