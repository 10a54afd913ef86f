#!/usr/bin/env bash
# Fills the disk. The daemon must answer 503 and never 202, still answer reads, report the state in
# /api/health, and recover by itself. Needs the right to mount a tmpfs. Argument: the folder of the
# binaries.
set -euo pipefail
# shellcheck source=tests/crash/daemon.sh
. "$(dirname "$0")/daemon.sh"
mkdir "$work/disk"
if ! mount -t tmpfs -o size=4m none "$work/disk" 2>/dev/null; then
  skip "no right to mount"
fi
printf '%s\n' 'min_free_disk_bytes = 0' 'refuse_events_below_bytes = 0' >"$work/c.toml"
"$bin/analyticsd" keys create --init --account test --db "$work/disk/a.db" --out "$work/key"
"$bin/analyticsd" --db "$work/disk/a.db" --listen 127.0.0.1:0 --config "$work/c.toml" 2>"$work/log" &
daemon=$!
ready
export ANALYTICS_URL=$url ANALYTICS_API_KEY_FILE=$work/key
"$bin/analytics" -q sites create a.de
[ "$(send /before)" = 202 ] || fail "no 202 before"
cat /dev/zero >"$work/disk/fill" 2>/dev/null || true
stored=1
refused=0
for i in $(seq 200); do # a few events still fit into the last pages of the WAL
  case $(send "/full-$i-$(head -c 1500 /dev/zero | tr '\0' x)") in
    202) stored=$((stored + 1)) ;;
    503) refused=$((refused + 1)) ;;
    *) fail "neither 202 nor 503" ;;
  esac
done
[ "$refused" -gt 50 ] || fail "only $refused of 200 were refused"
"$bin/analytics" -q sites list >/dev/null || fail "reads do not continue"
[ "$(curl -s -o /dev/null -w '%{http_code}' "$url/api/health")" = 503 ] || fail "health does not say it"
rm "$work/disk/fill"
for _ in $(seq 100); do # the daemon tests the disk once a second
  [ "$(curl -s -o /dev/null -w '%{http_code}' "$url/api/health")" = 200 ] && break
  sleep 0.1
done
[ "$(curl -s -o /dev/null -w '%{http_code}' "$url/api/health")" = 200 ] || fail "health does not recover"
[ "$(send /after)" = 202 ] || fail "no 202 afterwards"
kill "$daemon"
wait "$daemon" || fail "did not end with 0"
daemon=""
rows=$(sqlite3 -readonly "$work/disk/a.db" "SELECT count(*) FROM event_text")
[ "$rows" = $((stored + 1)) ] || fail "$rows rows, $((stored + 1)) acknowledged"
echo "full disk: $refused refused, $((stored + 1)) acknowledged, $rows rows"
