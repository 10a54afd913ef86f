#!/bin/sh
# Installs what building needs; with "tests" as argument also what the functional tests need, with
# "stages" also what the other stages of tests/run.sh need, with "cluster" what packaging/cluster.sh
# starts. Debian 12 and later, Ubuntu 24.04. Does nothing when all of it is there.
set -eu

needed="g++ cmake ninja-build pkg-config ccache curl sqlite3 tzdata dpkg-dev file
  libcli11-dev libcurl4-openssl-dev libsqlite3-dev libpq-dev nlohmann-json3-dev libsodium-dev libssl-dev libpsl-dev
  libtomlplusplus-dev libspdlog-dev libfmt-dev libexpected-dev libutf8proc-dev libidn2-dev zlib1g-dev libbz2-dev liblzma-dev
  libxxhash-dev libzip-dev libicu-dev libzstd-dev libcsv-dev prometheus-cpp-dev libre2-dev libyaml-cpp-dev libmaxminddb-dev libsystemd-dev
  libhowardhinnant-date-dev uap-core iso-codes esbuild"
wanted="" # tests go without it, and say what they skip
case ${1:-} in
  tests | stages)
    needed="$needed catch2 git procps zstd bzip2 xz-utils openssl"
    wanted="lld chromium nodejs strace wrk goaccess prometheus nginx-light haproxy caddy faketime mandoc zsh fish shellcheck clang-format lintian"
    command -v npm >/dev/null || wanted="$wanted npm"
    ;;
  cluster) needed="$needed postgresql clickhouse-server haproxy" ;;
esac
if [ "${1:-}" = stages ]; then
  wanted="$wanted postgresql clickhouse-server clang clang-tidy debootstrap qemu-system-x86 e2fsprogs"
fi

absent_of() { # packages: those that are not installed
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || printf ' %s' "$package"
  done
}
newest_boost() { # a list of packages: the newest Boost 1.x among them, as 81
  sed -n 's/^libboost1\.\([0-9]*\)-dev$/\1/p' | sort -n | tail -n 1
}
# shellcheck disable=SC2086  # lists of names
missing=$(absent_of $needed)
# shellcheck disable=SC2086
absent=$(absent_of $wanted)
boost=$(dpkg-query -W -f '${Package}\n' 'libboost1.*-dev' 2>/dev/null | newest_boost)
[ "${boost:-0}" -ge 81 ] || missing="$missing libboost1.81-dev"
[ -n "$missing$absent" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
  as_root=sudo
  if ! sudo -v 2>/dev/null; then
    if [ -n "$missing" ]; then
      echo "these packages are missing, and only root can install them:$missing" >&2
      exit 1
    fi
    echo "left out, because only root can install it:$absent" >&2
    exit 0
  fi
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
case $missing in
  *" libboost1.81-dev")
    boost=$(apt-cache pkgnames libboost1. | newest_boost)
    if [ "${boost:-0}" -lt 81 ]; then
      echo "no libboost1.81-dev or newer here: Debian 12 and later have it" >&2
      exit 1
    fi
    missing="${missing%1.81-dev}1.$boost-dev"
    ;;
esac
for package in $absent; do # Debian has some of them for some architectures
  if apt-cache show "$package" >/dev/null 2>&1; then missing="$missing $package"; fi
done
# shellcheck disable=SC2086  # a list of names
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
