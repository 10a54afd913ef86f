#!/bin/sh
# Installs what is missing, builds, and passes every test. From anywhere.
set -eu
cd "$(dirname "$0")/.."
sh daemon/packaging/install-packages.sh tests
shellcheck daemon/*.sh daemon/packaging/*.sh tests/*.sh tests/bench/*.sh tests/crash/*.sh .ci/run
bash tests/check_layers.sh
sh tests/check_sizes.sh
preset=${1:-debug}
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"
ctest --preset "$preset"
