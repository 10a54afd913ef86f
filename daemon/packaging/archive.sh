#!/bin/sh
# Makes analytics-VERSION-linux-ARCH.tar.gz from a release build: both programs, and in lib/ every
# library that they need except glibc's. It runs on any system whose glibc is at least that of the
# build, so build on Debian 12. Needs patchelf.
# usage: archive.sh BUILD_FOLDER [FOLDER], by default the current folder
set -eu
[ $# -ge 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
command -v patchelf >/dev/null || { echo "patchelf is missing: apt-get install patchelf" >&2; exit 1; }
build=$(cd "$1" && pwd)
target=$(cd "${2:-.}" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
umask 022

version=$("$build/bin/analytics" --version | cut -d' ' -f2)
name=analytics-$version-linux-$(uname -m)
root=$work/$name
for component in analytics analyticsd; do
  DESTDIR=$work/installed cmake --install "$build" --prefix /usr --strip --component $component >/dev/null
done
mkdir -p "$root/lib" "$root/share/licenses"
mv "$work/installed/usr/bin" "$root"
mv "$work/installed/usr/share/man" "$work/installed/usr/share/bash-completion" "$work/installed/usr/share/fish" \
  "$work/installed/usr/share/zsh" "$root/share"
mv "$work/installed/usr/share/doc/analyticsd/examples" "$root"
cp "$source"/daemon/packaging/analyticsd*.service "$source"/daemon/packaging/analyticsd*.socket \
  "$source"/daemon/packaging/analyticsd*.timer "$root/examples"
cp "$source/LICENSE" "$source/CHANGELOG.md" "$root"
mkdir "$root/share/uap-core" # how User-Agents are read
cp /usr/share/uap-core/regexes.yaml "$root/share/uap-core"

if ldd "$root/bin/analytics" "$root/bin/analyticsd" | grep 'not found' >&2; then
  echo "the build needs libraries that this machine lacks" >&2
  exit 1
fi
of_glibc='ld-linux|libc\.so|libm\.so|libdl\.so|libpthread\.so|librt\.so|libresolv\.so|libutil\.so|libanl\.so'
ldd "$root/bin/analytics" "$root/bin/analyticsd" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | sort -u |
  grep -vE "/($of_glibc)" | while read -r library; do
    cp -L "$library" "$root/lib"
    # Debian knows some libraries under /lib, which is a link to /usr/lib.
    package=$({ dpkg -S "$library" || dpkg -S "${library#/usr}" || dpkg -S "/usr$library"; } 2>/dev/null | sed 's/:.*//; q')
    cp "/usr/share/doc/$package/copyright" "$root/share/licenses/$package"
  done
# An RPATH, unlike a RUNPATH, is also used for libraries that libraries need.
# shellcheck disable=SC2016  # $ORIGIN is for the dynamic linker
patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$root/bin/analytics" "$root/bin/analyticsd"

glibc=$(objdump -T "$root"/bin/* "$root"/lib/*.so* | sed -n 's/.*(GLIBC_\([0-9.]*\)).*/\1/p; s/.* GLIBC_\([0-9.]*\) .*/\1/p' |
  sort -uV | tail -n 1)
cat >"$root/README" <<TEXT
analytics $version: web analytics that you host yourself

bin/analytics is the command line, bin/analyticsd the daemon. They need glibc $glibc or newer, time
zones (the package tzdata) and, for https, CA certificates. Keep bin, lib and share together; links
to the programs work from anywhere.

  bin/analyticsd demo                          # everything, on a temporary database
  bin/analyticsd keys create --init --account me --db analytics.db --out key
  bin/analyticsd serve --db analytics.db

How to run it: man -l share/man/man7/analytics-operating.7. Units for systemd are in examples.
TEXT
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -czf "$target/$name.tar.gz" "$name"
echo "$target/$name.tar.gz: $(du -h "$target/$name.tar.gz" | cut -f1), glibc $glibc"
