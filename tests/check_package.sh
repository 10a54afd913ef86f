#!/bin/sh
# Makes the Debian package from a build, and checks what it would install. Does not need root.
# usage: check_package.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() {
  echo "$*" >&2
  bad=1
}

(cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1) || {
  cat "$work/log" >&2
  exit 1
}
package=$(find "$work" -maxdepth 1 -name 'analyticsd_*.deb')
dpkg-deb -x "$package" "$work/root"
dpkg-deb -e "$package" "$work/control"

while read -r mode path; do
  [ -e "$work/root$path" ] || { fail "the package lacks $path"; continue; }
  found=$(stat -c %a "$work/root$path")
  [ "$found" = "$mode" ] || fail "$path has the mode $found, not $mode"
done <<'LIST'
755 /usr/bin/analytics
755 /usr/bin/analyticsd
644 /etc/analyticsd/analyticsd.toml
644 /usr/lib/sysusers.d/analyticsd.conf
644 /usr/lib/systemd/system/analyticsd.service
644 /usr/lib/systemd/system/analyticsd.socket
644 /usr/lib/systemd/system/analyticsd-backup.service
644 /usr/lib/systemd/system/analyticsd-backup.timer
644 /usr/share/bash-completion/completions/analytics
644 /usr/share/bash-completion/completions/analyticsd
644 /usr/share/zsh/vendor-completions/_analytics
644 /usr/share/fish/vendor_completions.d/analytics.fish
644 /usr/share/fish/vendor_completions.d/analyticsd.fish
644 /usr/share/doc/analytics/examples/nginx.conf
LIST
for page in "$source"/man/*.[1-8]; do
  name=$(basename "$page")
  file="$work/root/usr/share/man/man${name##*.}/$name"
  [ -e "$file" ] || [ -e "$file.gz" ] || fail "the package lacks the man page $name"
done

[ "$(cat "$work/control/conffiles")" = /etc/analyticsd/analyticsd.toml ] ||
  fail "the settings are no conffile"
for script in postinst prerm postrm; do
  [ -x "$work/control/$script" ] || fail "the package lacks $script"
done
for name in uap-core libsqlite3-0; do
  grep -q "^Depends:.*$name" "$work/control/control" || fail "the package does not need $name"
done

# The programs that the units start exist, and the settings are right.
sed -n 's/^Exec[A-Za-z]*=[-+!@:]*\([^ ]*\).*/\1/p' "$work"/root/usr/lib/systemd/system/*.service |
  sort -u >"$work/programs"
while read -r program; do
  [ -x "$work/root$program" ] || [ -x "$program" ] || fail "a unit starts $program"
done <"$work/programs"
"$work/root/usr/bin/analyticsd" --check-config --db "$work/analytics.db" \
  --config "$work/root/etc/analyticsd/analyticsd.toml" >/dev/null || fail "the settings are wrong"
exit $bad
