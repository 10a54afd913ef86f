#!/usr/bin/env bash
# Checks that the Containerfile makes a working image of at most 60 MB on top of its base. Runs on
# request only, because it builds everything again, as root, with buildah, on a base that
# debootstrap makes. Prints what it skips. Takes about ten minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
for program in buildah debootstrap; do
  if ! command -v "$program" >/dev/null; then
    echo "skipped: $program (a Debian package of that name) is not there" >&2
    exit 77
  fi
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: debootstrap needs root" >&2; exit 77; }
work=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
container=""
trap '[ -z "$container" ] || buildah rm "$container" >/dev/null; rm -rf "$work"' EXIT

mirror=$(sed -n 's/^deb [^h]*\(http[^ ]*\) .*/\1/p; s/^URIs: *\(http[^ ]*\).*/\1/p' /etc/apt/sources.list \
  /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" "${mirror:-http://deb.debian.org/debian}" >/dev/null
rm "$work/base/etc/apt/sources.list"
cp -a /etc/apt/. "$work/base/etc/apt/" # the same mirror
base=$(buildah from scratch)
buildah copy -q "$base" "$work/base" / >/dev/null
buildah commit -q "$base" analytics-base >/dev/null
buildah rm "$base" >/dev/null
git ls-files -z | tar --null -T - -cf - | (mkdir "$work/source" && tar -xf - -C "$work/source")
buildah build -q --build-arg BASE=localhost/analytics-base -t analytics-test -f daemon/packaging/Containerfile "$work/source"

container=$(buildah from localhost/analytics-test)
in_image() { buildah run --user analyticsd "$container" -- "$@"; }
mount=$(buildah mount "$container")
megabytes() { du -sm --exclude="$1/var/cache/apt" --exclude="$1/var/lib/apt/lists" "$1" | cut -f1; }
added=$(($(megabytes "$mount") - $(megabytes "$work/base")))
echo "$added MB on top of the base"
[ "$added" -le 60 ] || { echo "the image adds more than 60 MB" >&2; exit 1; }
[ "$(in_image id -u)" = 10001 ]
# shellcheck disable=SC2016  # for the shell in the image
in_image sh -c '
  set -e
  analyticsd serve --listen 127.0.0.1:18000 2>/tmp/log &
  daemon=$!
  until grep -q "^listening" /tmp/log; do kill -0 $daemon; done
  analyticsd keys create --account acme --out /tmp/key
  export ANALYTICS_URL=http://127.0.0.1:18000 ANALYTICS_API_KEY_FILE=/tmp/key
  analytics sites create example.com
  analytics send --site example.com --url https://example.com/ --user-agent "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0"
  analytics health
  kill $daemon
  wait $daemon'
echo "the image works"
