#!/usr/bin/env bash
# Simulates a year of an operator in minutes, on the bare system that tests/check_system.sh boots:
# package, README, key, sites from a file, nginx with TLS, restarts under load, backup, lost disk,
# restore, replay, a hung and a killed service, wrong settings, keep, upgrade, purge. Uses only
# commands that the guides name, and causes the faults. Needs only the files in its folder. Prints a
# line for each step.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
export DEBIAN_FRONTEND=noninteractive ANALYTICS_URL=http://127.0.0.1:8000 ANALYTICS_API_KEY_FILE=$here/key
export XDG_STATE_HOME=$here/state # replay's checkpoints, on another disk than the database
settings=/etc/analyticsd/analyticsd.toml
database=/var/lib/analyticsd/analytics.db
sample=$(wc -l <sample.ndjson)
step="before the first step"
trap '[ $? -eq 0 ] || echo "failed in: $step"' EXIT

done_with() {
  echo "ok: $step (after $SECONDS s)"
}
fail() {
  echo "$*"
  journalctl --no-pager -n 30 -u analyticsd.service
  exit 1
}
is() { # what, found, expected
  [ "$2" = "$3" ] || fail "$1: $2, not $3"
}
# Repeats a command until it succeeds, for at most ten minutes on a slow machine.
wait_for() {
  local end=$((SECONDS + 600))
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "waited in vain for: $*"
    sleep 1
  done
}
is_healthy() { [ "$(curl -s -o /dev/null -w '%{http_code}' "$ANALYTICS_URL/api/health")" = 200 ]; }
events() { analytics export events --site "$1" "${@:2}" 2>/dev/null | wc -l; }
totals() { # of the days of the log files
  analytics stats --site example.com --period "$first,$last" --metrics visitors,visits,pageviews,bounce_rate,visit_duration -o json
}
restarts() { systemctl show -P NRestarts analyticsd.service; }

step="install the packages while another program listens on the port"
perl -MIO::Socket::INET -e 'my $socket = IO::Socket::INET->new(LocalAddr => "127.0.0.1:8000", Listen => 1) or die; sleep' &
other=$!
port_is_taken() { (: </dev/tcp/127.0.0.1/8000) 2>/dev/null; }
wait_for port_is_taken
apt-get install -y -qq ./analytics*.deb >install.log 2>&1 || fail "$(cat install.log)"
grep -q 'not started.*127.0.0.1:8000' install.log || fail "the port is not named: $(cat install.log)"
kill $other
systemctl start analyticsd.socket analyticsd.service
for unit in analyticsd.service analyticsd.socket; do
  is "$unit" "$(systemctl is-active $unit)" active
  is "$unit at boot" "$(systemctl is-enabled $unit)" enabled
done
is_healthy || fail "no health"
is "the user of the service" "$(stat -c %U $database)" analyticsd
exposure=$(systemd-analyze security --no-pager analyticsd.service | sed -n 's/.*exposure level.*: \([0-9.]*\) .*/\1/p')
awk -v e="$exposure" 'BEGIN { exit !(e > 0 && e <= 2.0) }' || fail "systemd-analyze security says $exposure"
done_with

step="the commands of README, as root and as a user"
useradd --create-home --shell /bin/bash reader
echo 'reader ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/reader
cp readme.sh README.md /home/reader
./readme.sh README.md || fail "as root"
systemctl disable -q --now analyticsd-backup.timer
new_database() {
  systemctl stop analyticsd.socket analyticsd.service
  rm -r /var/lib/analyticsd/*
  systemctl start analyticsd.socket analyticsd.service
  wait_for is_healthy
}
new_database
runuser -u reader -- env -i PATH="$PATH" HOME=/home/reader /home/reader/readme.sh /home/reader/README.md || fail "as a user"
systemctl disable -q --now analyticsd-backup.timer
new_database
done_with

step="issue a key"
analyticsd keys create --account acme --out key 2>/dev/null
is "the mode of the key" "$(stat -c %a key)" 600
analytics health >/dev/null
done_with

step="provision by apply, twice"
cat >sites.toml <<'TOML'
[[site]]
domain = "example.com"
timezone = "Europe/Berlin"
[[site.goal]]
event = "Signup"
[[site.link]]
name = "Team"

[[site]]
domain = "demo.example"
TOML
analytics apply -f sites.toml >/dev/null
analytics apply -f sites.toml >again
grep -q '^0 created, 0 updated, 0 deleted,' again || fail "$(cat again)"
analytics diff -f sites.toml >/dev/null
done_with

step="a proxy with TLS, and addresses that nobody can forge"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 60 -subj /CN=stats.example.com \
  -addext subjectAltName=DNS:stats.example.com,DNS:www.example.com \
  -keyout /etc/ssl/stats.example.com.key -out /etc/ssl/stats.example.com.pem 2>/dev/null
cp /usr/share/doc/analyticsd/examples/nginx.conf /etc/nginx/sites-enabled/stats
printf 'base_url = "https://stats.example.com"\ntrusted_proxies = ["loopback"]\nrate_limit_per_hour = 0\n' >>$settings
systemctl reload analyticsd
systemctl restart nginx
ask() { # path [curl options]
  curl -sS --cacert /etc/ssl/stats.example.com.pem --resolve stats.example.com:443:127.0.0.1 "${@:2}" \
    "https://stats.example.com$1"
}
for forged in 203.0.113.1 203.0.113.2 203.0.113.3; do
  code=$(ask /api/event -o out -w '%{http_code}' -H "X-Forwarded-For: $forged" -H 'Content-Type: application/json' \
    -A 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0' \
    -d '{"n":"pageview","u":"https://example.com/","d":"example.com"}')
  is "an event by TLS" "$code" 202
done
is "visitors with forged addresses" "$(analytics stats --site example.com --period day --metrics visitors -o json | grep -oE '[0-9]+' | head -n 1)" 1
ask "/share/example.com?auth=$(analytics export sites --with-secrets | sed -n 's/^token = "\(.*\)"/\1/p')" -o page
grep -q '<html' page || fail "no shared page"
analyticsd doctor >doctor.log || true
! grep -qi forge doctor.log || fail "$(cat doctor.log)"
done_with

step="nine restarts and the package once more under load"
before=$(events example.com)
wrk -t1 -c2 -d1h --timeout 120s -s through_proxy.lua -H 'Host: stats.example.com' https://127.0.0.1:443 >load &
load=$!
for round in 1 2 3 4 5 6 7 8 9 10; do
  now=$(events example.com)
  more() { [ "$(events example.com)" -gt $((now + 20)) ]; }
  wait_for more
  if [ "$round" = 5 ]; then
    apt-get install -y -qq --reinstall ./analytics*.deb >>install.log 2>&1
  else
    systemctl restart analyticsd.service
  fi
done
kill -INT $load # wrk prints its summary
wait $load || true
read -r requests errors < <(sed -n 's/^counted //p' load)
is "errors in $requests requests" "$errors" 0
[ $(($(events example.com) - before)) -ge "$requests" ] || fail "acknowledged events are missing"
echo "  $requests events"
done_with

step="import two logs, with a backup between them"
first=$(date -d '6 days ago' +%F)
last=$(date -d '3 days ago' +%F)
log() { # first day ago, last day ago
  for ago in $(seq "$1" -1 "$2"); do
    awk -v day="$(date -d "$ago days ago" +%d/%b/%Y)" -v ago="$ago" 'BEGIN {
      for (i = 0; i < 1000; i++) printf "198.51.%d.%d - - [%s:%02d:%02d:%02d +0000] \"GET /page/%d HTTP/1.1\" 200 512 \"%s\" \"%s\"\n",
        i % 7, (i * 7) % 200, day, i / 50, i % 50, (i * 13) % 60, i % 40, i % 3 ? "-" : "https://www.google.com/",
        "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/" 100 + i % 30 }'
  done
}
log 6 5 >access.log.1
log 4 3 >access.log
replay() { analytics replay --site example.com --base https://example.com "$@" >replay.log 2>&1 || fail "$(tail -n 5 replay.log)"; }
replay access.log.1
analytics replay sample.ndjson >replay.log 2>&1 || fail "$(tail -n 5 replay.log)"
analyticsd backup backup.db >/dev/null
systemctl start analyticsd-backup.service
[ "$(find /var/lib/analyticsd/backups -name '*.db' | wc -l)" -ge 1 ] || fail "the nightly backup left no file"
replay access.log
is "events of the sample" "$(events demo.example)" "$sample"
expected=$(totals)
expected_events=$(events example.com --from "$first" --to "$last")
is "events of the logs" "$expected_events" 4000
done_with

step="the disk is lost, and the backup restored"
systemctl stop analyticsd.socket analyticsd.service
rm -r /var/lib/analyticsd
analyticsd restore backup.db >/dev/null
systemctl start analyticsd.socket analyticsd.service
wait_for is_healthy
is "the owner after restore" "$(stat -c %U:%a $database)" analyticsd:600
analyticsd check >check.log || fail "$(cat check.log)"
is "events before the second log" "$(events example.com --from "$first" --to "$last")" 2000
done_with

step="replay the same logs: every event once"
# The checkpoints of replay are lost as well, as after the loss of a machine.
rm -rf "$XDG_STATE_HOME"
replay access.log.1
replay access.log
analytics replay sample.ndjson >replay.log 2>&1
is "events of the logs" "$(events example.com --from "$first" --to "$last")" "$expected_events"
is "visitors and visits" "$(totals)" "$expected"
is "events of the sample" "$(events demo.example)" "$sample"
done_with

step="a killed and a hung service come back"
count=$(restarts)
systemctl kill -s KILL analyticsd.service
again() { [ "$(restarts)" -gt "$count" ] && is_healthy; }
wait_for again
mkdir -p /run/systemd/system/analyticsd.service.d
printf '[Service]\nWatchdogSec=20s\n' >/run/systemd/system/analyticsd.service.d/soon.conf
systemctl daemon-reload
systemctl restart analyticsd.service
count=$(restarts)
kill -STOP "$(systemctl show -P MainPID analyticsd.service)"
wait_for again
rm -r /run/systemd/system/analyticsd.service.d
systemctl daemon-reload
done_with

step="wrong settings fail the restart, and say why"
cp -p $settings good.toml
echo 'listn = 3' >>$settings
while :; do curl -s -m 1 -o /dev/null "$ANALYTICS_URL/api/health" || sleep 0.1; done &
client=$!
! systemctl restart analyticsd.service 2>/dev/null || fail "started with wrong settings"
journalctl --no-pager -n 20 -u analyticsd.service >journal
grep -q listn journal || fail "the journal does not name the setting"
# Otherwise the client would start the service again and again.
is_closed() { [ "$(systemctl is-active analyticsd.socket)" = inactive ]; }
wait_for is_closed
is "the service" "$(systemctl show -P SubState analyticsd.service)" failed
cp -p good.toml $settings
systemctl restart analyticsd.service
is_healthy || fail "no health"
is "the socket" "$(systemctl is-active analyticsd.socket)" active
kill $client
done_with

step="a key and its successor"
analyticsd keys rotate 1 --overlap 7d --out new-key 2>/dev/null
analytics health >/dev/null
analytics --api-key-file new-key sites list >/dev/null
analytics sites list >/dev/null
done_with

step="events are kept for a day, once a day has passed"
code=0
analytics sites update demo.example --keep 1d >out 2>&1 || code=$?
is "a shorter keep without --confirm" "$code" 2
analytics sites update demo.example --keep 1d --confirm demo.example >/dev/null
is "events within a day of grace" "$(events demo.example)" "$sample"
date -s '+26 hours' >/dev/null
are_gone() { [ "$(events demo.example)" = 0 ]; }
wait_for are_gone
analytics replay --import-id later sample.ndjson >replay.log 2>&1 || true
is "events that are too old" "$(events demo.example)" 0
done_with

step="purge the package"
systemctl enable -q analyticsd-backup.timer
# Changing the clock has woken apt's own timers, which may hold its lock.
apt-get purge -y -qq -o DPkg::Lock::Timeout=600 analyticsd >purge.log 2>&1 || fail "$(cat purge.log)"
grep -q "$(dirname $database) (.*) stays" purge.log || fail "nobody says that the database stays: $(cat purge.log)"
[ -e $database ] || fail "the database went with the package"
for path in /usr/bin/analyticsd /etc/systemd/system/timers.target.wants/analyticsd-backup.timer /etc/analyticsd/analyticsd.toml /usr/lib/systemd/system/analyticsd.service; do
  [ ! -e $path ] || fail "$path is still there"
done
is "the socket" "$(systemctl is-active analyticsd.socket)" inactive
done_with
echo "walked through"
