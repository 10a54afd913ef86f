#!/bin/sh
# Makes the Debian packages from a build, and checks what they would install. Does not need root.
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
for name in analytics analyticsd; do
  package=$(find "$work" -maxdepth 1 -name "${name}_*.deb")
  dpkg-deb -x "$package" "$work/$name"
  dpkg-deb -e "$package" "$work/$name.control"
done

while read -r name mode path; do
  [ -e "$work/$name$path" ] || { fail "the package $name lacks $path"; continue; }
  found=$(stat -c %a "$work/$name$path")
  [ "$found" = "$mode" ] || fail "$path has the mode $found, not $mode"
done <<'LIST'
analytics 755 /usr/bin/analytics
analytics 644 /usr/share/bash-completion/completions/analytics
analytics 644 /usr/share/fish/vendor_completions.d/analytics.fish
analytics 644 /usr/share/zsh/vendor-completions/_analytics
analyticsd 755 /usr/bin/analyticsd
analyticsd 644 /etc/analyticsd/analyticsd.toml
analyticsd 644 /usr/lib/sysusers.d/analyticsd.conf
analyticsd 644 /usr/lib/systemd/system/analyticsd.service
analyticsd 644 /usr/lib/systemd/system/analyticsd.socket
analyticsd 644 /usr/lib/systemd/system/analyticsd-backup.service
analyticsd 644 /usr/lib/systemd/system/analyticsd-backup.timer
analyticsd 644 /usr/share/bash-completion/completions/analyticsd
analyticsd 644 /usr/share/fish/vendor_completions.d/analyticsd.fish
analyticsd 644 /usr/share/zsh/vendor-completions/_analyticsd
analyticsd 644 /usr/share/doc/analyticsd/examples/nginx.conf
LIST
for page in "$source"/man/*.[1-8]; do
  name=$(basename "$page")
  found=$(find "$work/analytics" "$work/analyticsd" -name "$name" -o -name "$name.gz" | wc -l)
  [ "$found" = 1 ] || fail "$found packages have the man page $name"
done
twice=$(cd "$work" && for name in analytics analyticsd; do (cd $name && find . -type f); done | sort | uniq -d)
[ -z "$twice" ] || fail "both packages have: $twice"

[ "$(cat "$work/analyticsd.control/conffiles")" = /etc/analyticsd/analyticsd.toml ] ||
  fail "the settings are no conffile"
for script in postinst prerm postrm; do
  [ -x "$work/analyticsd.control/$script" ] || fail "the package lacks $script"
  [ ! -e "$work/analytics.control/$script" ] || fail "the command line's package has $script"
done
needs() { grep -q "^Depends:.*$2" "$work/$1.control/control"; }
for name in uap-core libsqlite3-0 libpq5; do
  needs analyticsd "$name" || fail "the package does not need $name"
done
for name in uap-core libpq5 libprometheus systemd; do
  if needs analytics "$name"; then fail "the command line needs $name"; fi
done

# The programs that the units start exist, and the settings are right.
sed -n 's/^Exec[A-Za-z]*=[-+!@:]*\([^ ]*\).*/\1/p' "$work"/analyticsd/usr/lib/systemd/system/*.service |
  sort -u >"$work/programs"
while read -r program; do
  [ -x "$work/analyticsd$program" ] || [ -x "$program" ] || fail "a unit starts $program"
done <"$work/programs"
"$work/analyticsd/usr/bin/analyticsd" --check-config --db "$work/analytics.db" \
  --config "$work/analyticsd/etc/analyticsd/analyticsd.toml" >/dev/null || fail "the settings are wrong"
if command -v lintian >/dev/null; then
  lintian --fail-on error,warning "$work"/*.deb 2>&1 | grep -v 'root privileges' || true
  lintian --quiet --fail-on error,warning "$work"/*.deb >/dev/null 2>&1 || fail "lintian finds faults"
else
  echo "the packages are not checked by lintian, which is missing"
fi
exit $bad
