#!/usr/bin/env bash
# Boots a bare Debian with systemd in an emulated machine, and runs through an operator's year on it
# (tests/system/walk.sh). Needs root. Arguments: the folder of a release build, and a release of
# Debian, by default bookworm (12). If that is not this machine's release, the package is built in a
# bare system of that release. Prints what it skips. Takes about five minutes, and as long as
# building.
set -euo pipefail
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
release=${2:-bookworm}
for program in debootstrap qemu-system-x86_64 mke2fs; do
  if ! command -v "$program" >/dev/null; then
    echo "skipped: $program (of Debian's packages debootstrap, qemu-system-x86, e2fsprogs) is not there" >&2
    exit 77
  fi
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: debootstrap needs root" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skip() {
  tail "$work/log" >&2
  echo "skipped: $*" >&2
  exit 77
}
root=$work/root
walk=$root/root/walk

mirror=$(sed -n 's/^deb [^h]*\(http[^ ]*\) .*/\1/p; s/^URIs: *\(http[^ ]*\).*/\1/p' /etc/apt/sources.list \
  /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
mirror=${mirror:-http://deb.debian.org/debian}
debootstrap --variant=minbase \
  --include=systemd-sysv,udev,dbus,kmod,linux-image-cloud-amd64,ca-certificates,curl,openssl,nginx-light,sudo,wrk \
  "$release" "$root" "$mirror" >"$work/log" || skip "debootstrap cannot make a system here"

mkdir "$walk"
cp tests/system/*.sh tests/data/{sample.ndjson,through_proxy.lua} README.md "$walk"
# shellcheck disable=SC1091
if [ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" = "$release" ]; then
  (cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work" >>"$work/log")
else
  builder=$work/builder
  debootstrap --variant=minbase "$release" "$builder" "$mirror" >>"$work/log" || skip "debootstrap cannot make a system here"
  mkdir "$builder/source"
  git archive HEAD | tar -x -C "$builder/source"
  chroot "$builder" sh -c 'cd /source && sh daemon/packaging/install-packages.sh &&
    cmake --preset release -DANALYTICS_TESTS=OFF && cmake --build --preset release && cd build/release && cpack' \
    >>"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
  cp "$builder"/source/build/release/analytics*.deb "$work"
fi
cp "$work"/analytics*.deb "$walk"
# The packages' dependencies must be present when they are installed on a machine without a network.
chroot "$root" sh -c 'apt-get install -y -qq --download-only /root/walk/analytics*.deb' >>"$work/log" ||
  skip "no packages from within that system"

echo '/dev/vda / ext4 defaults 0 1' >"$root/etc/fstab"
echo bare >"$root/etc/hostname"
cat >"$root/etc/systemd/system/walk.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
ExecStart=/root/walk/walk.sh
ExecStopPost=/usr/bin/systemctl poweroff --no-block
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
UNIT
ln -s ../walk.service "$root/etc/systemd/system/multi-user.target.wants/walk.service"
ln -s /dev/null "$root/etc/systemd/system/serial-getty@ttyS0.service"
mke2fs -q -t ext4 -d "$root" "$work/disk" 3G

timeout 3000 qemu-system-x86_64 -accel tcg,thread=multi,tb-size=1024 -cpu max -m 2048 -smp 2 -nographic \
  -no-reboot -nic none -kernel "$root"/boot/vmlinuz-* -initrd "$root"/boot/initrd.img-* \
  -append "root=/dev/vda rw console=ttyS0 quiet systemd.show_status=0" \
  -drive "file=$work/disk,if=virtio,format=raw,cache=unsafe" </dev/null | sed -u 's/[\r\o33]//g' | tee "$work/console" |
  sed -un 's/^.*\(ok: .*\)/\1/p; /^  /p'
grep -q '^walked through' "$work/console" && exit
tail -n 60 "$work/console" >&2
grep -qE 'ok: |^failed' "$work/console" || skip "the emulated machine does not boot"
exit 1
