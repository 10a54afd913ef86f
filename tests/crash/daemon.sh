# shellcheck shell=bash disable=SC2034  # the sourcing scripts use these variables
# Sourced by the scripts in this folder. Runs a daemon on a file in $work, and ends it with the
# script. Sets bin, work and url; $daemon is its process.
bin=$(cd "$1" && pwd)
work=$(mktemp -d)
daemon=""
cleanup() {
  [ -z "$daemon" ] || kill -9 "$daemon" 2>/dev/null || true
  if mountpoint -q "$work/disk" 2>/dev/null; then umount -l "$work/disk"; fi
  rm -rf "$work"
}
trap cleanup EXIT

# Waits for the ready line of $daemon in $work/log and sets url.
ready() {
  until grep -q '^listening' "$work/log"; do
    kill -0 "$daemon" 2>/dev/null || { cat "$work/log" >&2; return 1; }
    sleep 0.05
  done
  url=$(sed -n 's/^listening on //p' "$work/log")
}

# Sends an event; prints the status, or 000 if there was no answer.
send() { # path
  curl -s -m 300 -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' "$url/api/event" \
    -d "{\"d\":\"a.de\",\"n\":\"pageview\",\"u\":\"https://a.de$1\"}" || true
}

# Prints what a test skips on this machine. Fails where no test may be skipped (CI).
skip() {
  echo "skipped: $1" >&2
  [ -z "${ANALYTICS_NO_SKIP:-}" ] || exit 1
  exit 77
}

fail() {
  echo "$1" >&2
  exit 1
}
