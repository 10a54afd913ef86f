#!/bin/sh
# Installs what is missing, builds, and passes every test. Without an argument: all tests under
# AddressSanitizer and UBSan, those of threads under ThreadSanitizer, and the benchmarks in short
# against the release build. Argument: one preset alone, all its tests. From anywhere.
set -eu
cd "$(dirname "$0")/.."
sh daemon/packaging/install-packages.sh tests
shellcheck -x daemon/*.sh daemon/packaging/*.sh tests/*.sh tests/*/*.sh .ci/run
bash tests/check_layers.sh
sh tests/check_sizes.sh
case $(clang-format --version) in  # others format otherwise
  *" 14."*) git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run -Werror ;;
esac

build() { # preset, options of cmake --build
  preset=$1
  shift
  # A new folder compiles each room as one source, which reads headers once. Who works on in it may
  # configure it with a size of 8.
  [ -d "build/$preset" ] || cmake --preset "$preset" -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 >/dev/null
  cmake --preset "$preset" -DANALYTICS_TESTS=ON >/dev/null
  cmake --build --preset "$preset" "$@"
}

run_tests() { # preset, options of ctest
  preset=$1
  shift
  ctest --preset "$preset" "$@" || {
    code=$?
    # Once more at the end, where who reads a log of many pages looks first.
    awk '
      /Testing: / { text = ""; lines = 0 }
      lines++ < 200 { text = text $0 "\n" }
      /^Test Failed/ { printf "\n%s", text }
    ' "build/$preset/Testing/Temporary/LastTest.log"
    return $code
  }
}

with_programs() ( # preset of the programs, how much memory they may take, a command that tests them
  export ANALYTICS_PROGRAMS="$PWD/build/$1/bin"
  export ANALYTICS_MEMORY_FACTOR="$2"
  shift 2
  "$@"
)

if [ $# -gt 0 ]; then
  build "$1"
  run_tests "$1"
  exit
fi

sh tests/check_code.sh

# Several rounds of a crash find no more here than in debug, where they are quicker.
export ANALYTICS_CRASH_ROUNDS=3
build asan
run_tests asan

# What has threads: the programs, driven by the tests that are built already, and four classes.
build tsan --target analyticsd analytics thread_tests
build/tsan/tests/thread_tests '[worker_pool],[writer],[scheduler],parts: a day that changes*'
# A daemon that reports race after race would wait for a reader, and its test for the daemon.
export TSAN_OPTIONS=halt_on_error=1
# What is only about the contents of answers crosses the same threads as the rest.
answers='share|stats.*|link terms|aggregate|funnels|goals|account links|language|screen.*|pixel'
answers="$answers|summaries|embedding|demo|upgrade|reading|forgetting|leftovers"
again='cluster_current_engine|(stats|contract)_in_cluster|cluster_script'
# Together, because the tests with a ClickHouse run one at a time, and leave a processor idle.
with_programs tsan 16 run_tests asan -L '^(contract|cluster)$' \
  -E "^($answers): |^($again)\$" --fixture-exclude-any traffic
with_programs tsan 16 run_tests asan -R '^(replay|faults|follow): '

build release --target analyticsd analytics
with_programs release 1 run_tests asan --fixture-exclude-any traffic \
  -R '^memory: |^hostile: (thousands of idle|a query keeps)'
bash tests/bench/run.sh --short # that they work; the figures are for people
bash tests/bench/queries.sh --short

# The package on a bare system, where that can be made.
bash tests/check_system.sh build/release || [ $? -eq 77 ]
