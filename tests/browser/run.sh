#!/bin/sh
# Runs browser tests: "share" tests the shared page; "tracker" tests the tracker and Plausible's npm
# packages; "openapi" with a folder checks the OpenAPI document against the recorded traffic of the
# contract tests. "packages" installs the npm packages that they need, over the network. Arguments:
# the folder of the binaries, one of these words [FOLDER]. Leaves pictures of the page next to the
# build, in browser/.
set -eu
bin=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
skip() {
  echo "skipped: $1" >&2
  [ -z "${ANALYTICS_NO_SKIP:-}" ] || exit 1
  exit 77
}
command -v node >/dev/null || skip "node is missing"
work=$(dirname "$bin")/browser
if [ "$1" = packages ]; then
  mkdir -p "$work"
  if ! cmp -s "$here/package.json" "$work/package.json" || [ ! -d "$work/node_modules" ]; then
    command -v npm >/dev/null || skip "npm is missing"
    cp "$here/package.json" "$work/package.json"
    # Without a network, npm would try for ten minutes.
    (cd "$work" && timeout 180 npm install --ignore-scripts --no-package-lock --no-audit --no-fund --silent) ||
      skip "the npm packages cannot be installed"
  fi
  exit
fi
[ -d "$work/node_modules" ] || skip "the npm packages are missing"
cp "$here"/*.mjs "$work/"
cd "$work"
if [ "$1" = openapi ]; then
  exec node openapi.mjs "$here/../../daemon/web/assets/openapi.json" "$2"
fi
command -v chromium >/dev/null || skip "chromium is missing"
# The limits only end tests that hang. Each file counts as a test, and a loaded machine needs
# minutes for it.
ANALYTICS_BIN=$bin exec timeout 1200 node --test --test-concurrency=1 --test-timeout=1190000 "$1.test.mjs"
