# shellcheck shell=bash disable=SC2034  # what is set here is used by those who source it
# Sourced by the scripts here: a daemon on a file in $work, gone with the script.
# Sets bin, work, url; $daemon is its process.
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

# Sends one event; prints the status, 000 when there was no answer.
send() { # path
  curl -s -m 10 -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' "$url/api/event" \
    -d "{\"d\":\"a.de\",\"n\":\"pageview\",\"u\":\"https://a.de$1\"}" || true
}

# What a test cannot do here is said; where none may be skipped (CI), it fails.
skip() {
  echo "skipped: $1" >&2
  [ -z "${ANALYTICS_NO_SKIP:-}" ] || exit 1
  exit 77
}

fail() {
  echo "$1" >&2
  exit 1
}
