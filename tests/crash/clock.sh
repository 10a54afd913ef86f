#!/usr/bin/env bash
# Changes the clock: by an hour, a day back, over midnight. Events must still be counted, a
# destroyed salt must not come back, and no time may be negative. Needs faketime. Argument: the
# folder of the binaries.
set -euo pipefail
# shellcheck source=tests/crash/daemon.sh
. "$(dirname "$0")/daemon.sh"
library=$(find /usr/lib -name 'libfaketimeMT.so.1' | head -n 1)
[ -n "$library" ] || fail "libfaketime is missing: apt-get install faketime"
"$bin/analyticsd" keys create --init --account test --db "$work/a.db" --out "$work/key"
at() { echo "@$1" >"$work/now"; }
at "2026-03-10 23:30:00"
LD_PRELOAD=$library FAKETIME_TIMESTAMP_FILE=$work/now FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
  TZ=UTC "$bin/analyticsd" --db "$work/a.db" --listen 127.0.0.1:0 2>"$work/log" &
daemon=$!
ready
query() { sqlite3 -readonly "$work/a.db" "$1"; }
# The jobs that destroy salts run once a minute; a restart runs them at once.
restart() {
  kill "$daemon"
  wait "$daemon"
  : >"$work/log"
  LD_PRELOAD=$library FAKETIME_TIMESTAMP_FILE=$work/now FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
    TZ=UTC "$bin/analyticsd" --db "$work/a.db" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  ready
}
LD_PRELOAD='' "$bin/analytics" --server "$url" --api-key-file "$work/key" -q sites create a.de
[ "$(send /evening)" = 202 ] || fail "evening"
first=$(query "SELECT hex(salt) FROM salts WHERE day = 20522")
[ -n "$first" ] || fail "no salt of 2026-03-10"
at "2026-03-11 00:30:00" # the clock moves past midnight
[ "$(send /night)" = 202 ] || fail "night"
at "2026-03-10 23:45:00" # an hour back: the day's salt is still the same
[ "$(send /back)" = 202 ] || fail "back"
[ "$(query "SELECT hex(salt) FROM salts WHERE day = 20522")" = "$first" ] || fail "the salt changed"
[ "$(query "SELECT count(DISTINCT visitor) FROM events")" = 2 ] || fail "not two days' visitors"
at "2026-03-12 12:00:00" # 48 hours after the day began, its salt is destroyed
restart
[ "$(send /later)" = 202 ] || fail "later"
for _ in $(seq 100); do
  [ "$(query "SELECT count(*) FROM salts WHERE day = 20522")" = 0 ] && break
  sleep 0.1
done
[ "$(query "SELECT count(*) FROM salts WHERE day = 20522")" = 0 ] || fail "the salt outlives its time"
at "2026-03-10 23:50:00" # two days back: the day gets a new salt
[ "$(send /again)" = 202 ] || fail "again"
again=$(query "SELECT hex(salt) FROM salts WHERE day = 20522")
[ -n "$again" ] || fail "no new salt"
[ "$again" != "$first" ] || fail "a destroyed salt came back"
[ "$(query "SELECT count(*) FROM events WHERE time <= 0")" = 0 ] || fail "a time is negative"
kill "$daemon"
wait "$daemon" || fail "did not end with 0"
daemon=""
# A destroyed salt is in no file; a living salt is.
in_files() { cat "$work"/a.db* | od -An -v -tx1 | tr -d ' \n' | grep -qi "$1"; }
in_files "$again" || fail "the living salt is not found: this search finds nothing"
if in_files "$first"; then fail "a file contains the destroyed salt"; fi
echo "clock: six moves, $(query 'SELECT count(*) FROM events') events"
