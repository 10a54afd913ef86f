#!/usr/bin/env bash
# Without an argument: installs missing packages, builds what ships, and runs every functional test.
# With arguments: runs these stages, of asan, tsan, tidy, cluster, system, bench and fuzz. Works in
# any folder.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
summary=()
left_out=()
system= # the process of the test in the background, and its output
system_log=

finish() {
  local code=$?
  [ -z "$system" ] || kill -- -"$system" 2>/dev/null || true
  [ -z "$system_log" ] || rm -f "$system_log"
  echo
  ((${#summary[@]} == 0)) || printf '%s\n' "${summary[@]}"
  printf '%6d s  all\n' $((SECONDS - started))
  ((${#left_out[@]} == 0)) || printf 'left out: %s\n' "${left_out[@]}"
  [ "$code" = 0 ] || echo "failed"
}
trap finish EXIT

# Runs a command as a stage and prints how long it took.
stage() { # name, command…
  local name=$1 begin=$SECONDS
  shift
  echo "== $name"
  "$@"
  summary+=("$(printf '%6d s  %s' $((SECONDS - begin)) "$name")")
  echo "== $name: $((SECONDS - begin)) s"
}

build() { # preset, target…
  local preset=$1 options=()
  shift
  [ "$preset" != asan ] || options=(-DANALYTICS_CASES=build/release)
  cmake --preset "$preset" -DANALYTICS_TESTS=ON "${options[@]}" >/dev/null
  cmake --build --preset "$preset" --target "$@"
}

# Prints failures again at the end, where a reader of a long log looks first, with the command that
# repeats the test.
run_tests() { # preset, options of ctest…
  local preset=$1 folder code=0 name
  shift
  folder=build/$preset/Testing/Temporary
  ctest --preset "$preset" "$@" || code=$?
  [ "$code" != 0 ] || return 0
  awk '
    /Testing: / { text = ""; lines = 0 }
    lines++ < 200 { text = text $0 "\n" }
    /^Test Failed/ { printf "\n%s", text }
  ' "$folder/LastTest.log"
  while IFS=: read -r _ name; do
    # Test names contain no other characters with a meaning in regular expressions.
    name=${name//./\\.} name=${name//+/\\+} name=${name//(/\\(} name=${name//)/\\)}
    printf "to repeat it: ctest --preset %s -R '^%s\$'\n" "$preset" "$name"
  done <"$folder/LastTestsFailed.log"
  return "$code"
}

with_programs() ( # preset, a command that tests the programs of that preset
  export ANALYTICS_PROGRAMS="$PWD/build/$1/tests/bin" ANALYTICS_MEMORY_FACTOR=16 ANALYTICS_ROUNDS_PART=10
  # A daemon that reports many races would block until its test reads the log, while the test waits.
  export TSAN_OPTIONS=halt_on_error=1
  shift
  "$@"
)

check_sources() {
  if command -v shellcheck >/dev/null; then
    shellcheck -x daemon/*.sh daemon/packaging/*.sh tests/*.sh tests/*/*.sh .ci/run
  else
    left_out+=("shell scripts: shellcheck is missing")
  fi
  bash tests/check_layers.sh
  sh tests/check_sizes.sh
  sh tests/check_words.sh
  case $(clang-format --version 2>/dev/null) in # other versions format otherwise
    *" 14."*) git ls-files '*.cpp' '*.h' | xargs -P "$(nproc)" -n 50 clang-format --dry-run -Werror ;;
    *) left_out+=("the format of sources: clang-format 14 is missing") ;;
  esac
}

packages() { stage "packages" sh daemon/packaging/install-packages.sh "$1"; }

functional() {
  packages tests
  stage "sources" check_sources
  stage "build" build release all
  stage "functional tests" run_tests release -LE cluster
}

# Runs the tests of the asan build. Tests of clusters wait for servers, so other tests run
# meanwhile.
asan() { # labels…
  local labels
  labels=$(IFS='|' && echo "$*")
  stage "release: build" build release all
  stage "asan: build" build asan all
  stage "asan: $*" run_tests asan -L "^($labels)\$"
}

tsan() {
  # Tests that only compare answers are left out, because they run the same threads as the others.
  local answers='share|stats.*|link terms|limited link|aggregate|funnels|goals|account links|language|screen.*|pixel'
  answers="$answers|summaries|embedding|demo|upgrade|reading|forgetting"
  stage "release: build" build release all
  stage "tsan: build" build tsan all
  stage "tsan: threads" run_tests tsan -R '^(worker_pool|batch_writer|scheduler): |^parts: a day that changes'
  stage "tsan: contract" with_programs tsan run_tests release -L '^contract$' -E "^($answers): "
  stage "tsan: replay" with_programs tsan run_tests release -R '^(replay|faults|follow): '
}

tidy() { stage "tidy" sh tests/check_code.sh; }

# Tests the package on a bare system that boots, where such a system can be made. The emulated
# machine uses one core, so other stages run meanwhile.
begin_system() {
  stage "release: build" build release analyticsd analytics
  system_log=$(mktemp)
  setsid bash tests/check_system.sh build/release >"$system_log" 2>&1 &
  system=$!
}
end_system() {
  local code=0
  wait "$system" || code=$?
  system=
  cat "$system_log"
  [ "$code" = 77 ] || return "$code"
  left_out+=("the package on a bare system")
}

# Proves that the benchmarks work; their figures are for people.
bench() {
  stage "release: build" build release all
  stage "bench" bash tests/bench/run.sh --short
  stage "bench: queries" bash tests/bench/queries.sh --short
}

if [ $# = 0 ]; then
  functional
  exit
fi
labels=() others=()
for name in "$@"; do
  case $name in
    asan) labels+=(unit cli contract crash) ;;
    cluster | fuzz) labels+=("$name") ;;
    tsan | tidy | bench) others+=("$name") ;;
    system) ;;
    *)
      echo "there is no stage $name: asan, tsan, tidy, cluster, system, bench, fuzz" >&2
      exit 2
      ;;
  esac
done
packages stages
[[ " $* " != *" system "* ]] || begin_system
((${#labels[@]} == 0)) || asan "${labels[@]}"
for name in "${others[@]}"; do "$name"; done
[ -z "$system" ] || stage "system" end_system
