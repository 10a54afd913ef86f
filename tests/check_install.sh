#!/usr/bin/env bash
# Tries the other ways to install on bare systems: the archive in Debian 12 and 13, and the packages
# from an apt repository in Debian 12, by the two lines that repository.sh names. Runs on request
# only, because it takes some minutes and needs root, debootstrap and a release build of Debian 12.
# usage: check_install.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
for program in debootstrap patchelf gpg; do
  command -v $program >/dev/null || { echo "skipped: $program is not there" >&2; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: debootstrap needs root" >&2; exit 77; }
work=$(mktemp -d)
trap 'umount "$work"/*/proc 2>/dev/null || true; rm -rf "$work"' EXIT
mirror=$(sed -n 's/^deb [^h]*\(http[^ ]*\) .*/\1/p; s/^URIs: *\(http[^ ]*\).*/\1/p' /etc/apt/sources.list \
  /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)

# Uses the programs in PATH as the README shows, in the root folder $1.
cat >"$work/use.sh" <<'USE'
set -eu
cd "$(mktemp -d)"
touch a.toml
analyticsd serve --config a.toml --db a.db --listen 127.0.0.1:18000 2>log &
daemon=$!
until grep -q '^listening' log; do kill -0 $daemon; done
analyticsd setup --config a.toml --db a.db --site example.com --timezone Europe/Berlin >setup.log
export ANALYTICS_URL=http://127.0.0.1:18000 ANALYTICS_API_KEY_FILE=$PWD/analytics.key
analytics send --site example.com --url https://example.com/ \
  --user-agent 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0'
analytics stats --site example.com --by browser --period day | grep -q Firefox
kill $daemon
wait $daemon
USE

bash daemon/packaging/archive.sh "$build" "$work"
for release in bookworm trixie; do
  root=$work/$release
  debootstrap --variant=minbase --include=tzdata $release "$root" "${mirror:-http://deb.debian.org/debian}" >"$work/log"
  tar -xzf "$work"/analytics-*.tar.gz -C "$root/opt"
  cp "$work/use.sh" "$root"
  mount -t proc proc "$root/proc"
  # shellcheck disable=SC2016  # for the shell in the system
  chroot "$root" sh -c 'PATH=$(echo /opt/analytics-*/bin):$PATH sh /use.sh'
  echo "ok: the archive in $release"
done

(cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work" >>"$work/log")
root=$work/bookworm
sh daemon/packaging/repository.sh "$root/srv/apt" "$work"/*.deb 2>>"$work/log"
install -D -m 0644 "$root/srv/apt/analytics.asc" "$root/etc/apt/keyrings/analytics.asc"
echo "deb [signed-by=/etc/apt/keyrings/analytics.asc] file:/srv/apt ./" >"$root/etc/apt/sources.list.d/analytics.list"
rm -r "$root"/opt/*
cp /etc/resolv.conf "$root/etc"
chroot "$root" sh -c 'apt-get update -qq && apt-get install -y -qq analytics analyticsd' >>"$work/log" 2>&1 ||
  { tail -n 20 "$work/log" >&2; exit 1; }
chroot "$root" sh /use.sh
echo "ok: the packages from a repository"
