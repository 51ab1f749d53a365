#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test; then again with sanitizers and with the second compiler.
# usage: ./test.sh [--long] [--quick] [--no-install]
#   --long        also the tests labelled long
#   --quick       the release tests only: no sanitizers, no second compiler
#   --no-install  print the command that would install what is missing, and stop
set -uo pipefail
cd "$(dirname "$0")" || exit 1

long=no
quick=no
for argument in "$@"; do
  case "$argument" in
    --long) long=yes ;;
    --quick) quick=yes ;;
    --no-install) exec tools/install_dependencies.sh --tests --no-install ;;
    -h | --help) sed -n '2,6s/^# //p' "$0"; exit 0 ;;
    *) echo "test.sh: unknown argument '$argument', see --help" >&2; exit 2 ;;
  esac
done

passed=0
failed=0
failures=()
failed_logs=()

count() {  # count NAME STATUS: one check that is not a ctest test
  if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); failures+=("$1"); fi
}

build() {  # build PRESET [TARGET...]
  local preset=$1 directory=build status=0 log=build/configure_$1.log
  [ "$preset" = release ] || directory=build/$preset
  shift
  echo "== build $preset"
  if cmake --preset "$preset" -D DISTAL_TESTS=ON -D DISTAL_BENCH=ON > "$log" 2>&1; then
    cmake --build "$directory" ${1:+--target "$@"} || status=1
  else
    cat "$log"
    status=1
  fi
  count "build $preset" $status
  return $status
}

# Runs ctest and adds its numbers; a run that ends early or finds no test at all counts as a failure.
run_tests() {  # run_tests NAME DIRECTORY CTEST-ARGUMENT...
  local name=$1 directory=$2 log summary bad all
  shift 2
  echo "== test $name"
  log=$directory/test_$name.log
  ctest --test-dir "$directory" -j 2 --output-on-failure --no-tests=error "$@" 2>&1 | tee "$log"
  summary=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log")
  if [ -z "$summary" ]; then count "test $name" 1; return; fi
  read -r bad all <<< "$(sed -E 's/.*passed, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/' <<< "$summary")"
  passed=$((passed + all - bad))
  failed=$((failed + bad))
  [ "$bad" = 0 ] || failed_logs+=("$log")
  while read -r test; do failures+=("$test, see $log"); done < <(sed -nE 's/^\t *[0-9]+ - ([^ ]+) .*/\1 of test '"$name"'/p' "$log")
}

# What the failed tests of a log said (its last lines), so that the end of a long output tells it all.
show_failed() {  # show_failed LOG
  awk '/^ *[0-9]+\/[0-9]+ Test +#/ { of_failed = /\*\*\*/ } /^ +Start +[0-9]+: / { next } of_failed' "$1" | tail -n 120
}

tools/install_dependencies.sh --tests || exit 1
mkdir -p build

if build release; then
  run_tests release build -LE '^long$'
  [ $long = no ] || run_tests long build -L '^long$'
fi

if [ $quick = no ]; then
  if build asan distal_unit_tests distal; then
    run_tests asan build/asan -L '^(unit|sanitized)$' -LE '^long$'
    [ $long = no ] || run_tests asan_long build/asan -L '^long$' -L '^sanitized$'
  fi
  if build tsan distal_thread_tests; then
    # The thread sanitizer needs the classic memory layout.
    launcher=()
    setarch "$(uname -m)" -R true 2> /dev/null && launcher=(setarch "$(uname -m)" -R)
    echo "== test tsan"
    "${launcher[@]}" build/tsan/tests/distal_thread_tests --gtest_filter='*Thread*'
    count "test tsan" $?
  fi
  build clang
fi

for log in "${failed_logs[@]+"${failed_logs[@]}"}"; do show_failed "$log"; done
echo
for failure in "${failures[@]+"${failures[@]}"}"; do echo "failed: $failure"; done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
