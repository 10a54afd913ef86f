#!/bin/sh
# Installs what building needs; with "tests" as argument also what the tests need, with "cluster" what
# packaging/cluster.sh starts. Debian 12 and
# later, Ubuntu 24.04. Does nothing when all of it is there.
set -eu

packages="g++ cmake ninja-build pkg-config ccache curl sqlite3 tzdata dpkg-dev file
  libcli11-dev libcurl4-openssl-dev libsqlite3-dev libpq-dev nlohmann-json3-dev libsodium-dev libssl-dev libpsl-dev
  libtomlplusplus-dev libspdlog-dev libfmt-dev libexpected-dev libutf8proc-dev libidn2-dev zlib1g-dev libbz2-dev liblzma-dev
  libxxhash-dev libzip-dev libicu-dev libzstd-dev libcsv-dev prometheus-cpp-dev libre2-dev libyaml-cpp-dev libmaxminddb-dev libsystemd-dev
  libhowardhinnant-date-dev uap-core iso-codes esbuild"
if [ "${1:-}" = tests ]; then
  command -v npm >/dev/null || packages="$packages npm"
  packages="$packages chromium nodejs catch2 strace wrk goaccess procps git zstd bzip2 xz-utils prometheus nginx-light haproxy caddy openssl faketime mandoc zsh fish shellcheck debootstrap qemu-system-x86 e2fsprogs
    clang clang-format clang-tidy"
fi
if [ "${1:-}" = cluster ]; then packages="$packages postgresql clickhouse-server haproxy"; fi

# Where there is one: Debian has it for some architectures.
optional=""
if [ "${1:-}" = tests ]; then optional="clickhouse-server postgresql"; fi

missing=""
for package in $packages; do
  dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
have_boost=$(dpkg-query -W -f '${Package}\n' 'libboost1.*-dev' 2>/dev/null |
  sed -n 's/^libboost1\.\([0-9]*\)-dev$/\1/p' | sort -n | tail -n 1)
[ "${have_boost:-0}" -ge 81 ] || missing="$missing boost"
add_optional() { # those that the lists of packages have
  for package in $optional; do
    dpkg -s "$package" >/dev/null 2>&1 && continue
    case $missing in *" $package"*) continue ;; esac
    if apt-cache show "$package" >/dev/null 2>&1; then missing=" $package$missing"; fi
  done
}
add_optional
[ -n "$missing" ] || exit 0

run=""
if [ "$(id -u)" -ne 0 ]; then run=sudo; fi
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq
add_optional
case $missing in
  *" boost"*)
    boost=$(apt-cache pkgnames libboost1. | sed -n 's/^libboost1\.\([0-9]*\)-dev$/\1/p' | sort -n | tail -n 1)
    if [ "${boost:-0}" -lt 81 ]; then
      echo "no libboost1.81-dev or newer here: Debian 12 and later have it" >&2
      exit 1
    fi
    missing="${missing% boost} libboost1.$boost-dev"
    ;;
esac
# shellcheck disable=SC2086  # a list of names
$run apt-get install -y -qq --no-install-recommends $missing >/dev/null
