#!/bin/sh
# Makes a signed apt repository of Debian packages in a folder that a web server can serve, or adds
# packages to it. Signs with the secret key KEY of GnuPG (an id or an address); without KEY it makes
# a key in ~/.local/share/analytics-repository, which must stay secret. Needs dpkg-dev and gnupg.
# usage: repository.sh FOLDER PACKAGE.deb...
#   cpack in build/release makes the packages. On the machines that install them:
#   sudo curl -fsSLo /etc/apt/keyrings/analytics.asc https://HOST/analytics.asc
#   echo "deb [signed-by=/etc/apt/keyrings/analytics.asc] https://HOST ./" | sudo tee /etc/apt/sources.list.d/analytics.list
set -eu
[ $# -ge 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
for program in dpkg-scanpackages gpg; do
  command -v $program >/dev/null || { echo "$program is missing: apt-get install dpkg-dev gnupg" >&2; exit 1; }
done
umask 022
folder=$1
shift
mkdir -p "$folder"
cp "$@" "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
if [ -z "${KEY:-}" ]; then
  GNUPGHOME=${XDG_DATA_HOME:-$HOME/.local/share}/analytics-repository
  export GNUPGHOME
  KEY=repository@analytics
  (umask 077 && mkdir -p "$GNUPGHOME")
  if ! gpg --batch --list-secret-keys "$KEY" >/dev/null 2>&1; then
    gpg --batch --quiet --passphrase '' --quick-generate-key "analytics packages <$KEY>" ed25519 sign never
    echo "made a key in $GNUPGHOME: keep it secret, and back it up" >&2
  fi
fi
gpg --batch --armor --export "$KEY" >"$work/analytics.asc"
[ -s "$work/analytics.asc" ] || { echo "GnuPG has no key $KEY" >&2; exit 1; }

(cd "$folder" && dpkg-scanpackages --multiversion .) >"$work/Packages"
gzip -9nk "$work/Packages"
{
  echo "Origin: analytics"
  echo "Label: analytics"
  echo "Architectures: $(sed -n 's/^Architecture: //p' "$work/Packages" | sort -u | tr '\n' ' ')"
  echo "Date: $(LC_ALL=C date -Ru)"
  echo "SHA256:"
  for file in Packages Packages.gz; do
    echo " $(sha256sum "$work/$file" | cut -d' ' -f1) $(stat -c %s "$work/$file") $file"
  done
} >"$work/Release"
gpg --batch --yes --local-user "$KEY" --armor --detach-sign --output "$work/Release.gpg" "$work/Release"
gpg --batch --yes --local-user "$KEY" --clearsign --output "$work/InRelease" "$work/Release"
for file in analytics.asc Packages Packages.gz Release Release.gpg InRelease; do mv "$work/$file" "$folder/$file"; done
echo "$(grep -c ^Package: "$folder/Packages") packages in $folder"
