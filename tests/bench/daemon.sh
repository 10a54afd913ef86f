# shellcheck shell=bash disable=SC2154,SC2034  # variables are shared with the sourcing scripts
# Sourced by scripts in this folder that query one daemon after another: on the file $db, with its
# log in $work.
start() {
  : >"$work/log"
  "$bin/analyticsd" --db "$db" --listen 127.0.0.1:0 2>"$work/log" &
  daemon=$!
  until grep -q '^listening' "$work/log"; do
    kill -0 "$daemon"
    sleep 0.01
  done
  ANALYTICS_URL=$(sed -n 's/^listening on //p' "$work/log")
  export ANALYTICS_URL
}
stop() {
  kill "$daemon"
  wait "$daemon"
  daemon=""
}
