# './lockstep check' and './lockstep test'. Sourced by ../lockstep. See docs/adr/0012.
# shellcheck shell=bash

readonly TALLY="deploy/src/main/java/io/lockstep/deploy/report/TestTally.java"
# What the steps of a run that only tests leave out.
readonly NO_COMPILING=(-Denforcer.skip=true -Dspotless.check.skip=true -Dmdep.skip=true
  -Dmdep.analyze.skip=true -Dlockstep.compile.skip=true -Dlockstep.testcompile.skip=true)

check_usage() {
  cat <<'TEXT'
Usage: ./lockstep check [--install] [MODULE...]

The loop for every commit: compiles, formats, analyses and runs the unit tests, of the modules whose
content, or that of a module they depend on, changed since they last passed. Long simulations run
with a tenth of their seeds; './lockstep test' runs them all.

  --install  as root on Debian or Ubuntu: first install what is missing
  MODULE     only these, changed or not; for example: datastore deploy
TEXT
}

test_usage() {
  cat <<'TEXT'
Usage: ./lockstep test [--install] [--no-skip] [--jdk HOME] [-- MAVEN-ARGUMENT...]

Builds what changed and runs all tests: integration tests two at once where they do not measure, and
unit tests beneath them with the least priority. Ends with the slowest tests, those that failed, those
that were skipped and why, and counts.

  --install   as root on Debian or Ubuntu: first install what is missing
  --no-skip   a skipped test is a failure
  --jdk HOME  run the tests on the JDK at HOME (compiling stays on JDK 17)
TEXT
}

# The modules of a list that are built from what is there now.
built_among() { # KEYS MODULE...
  local module main all keys=$1
  shift
  while read -r module main all; do
    if [[ " $* " == *" $module "* ]] && is_built "$module" "$main" "$all"; then
      printf '%s\n' "$module"
    fi
  done <<<"$keys"
}

classes_expected=0
tests_progress() { # LOG... -> 31 of 120 test classes, at WholeClusterTest
  awk -v all="$classes_expected" '
    / Running / { last = $NF; sub(/.*\./, "", last) }
    /Tests run:.* in / { if (!($NF in seen)) { seen[$NF] = 1; done++ } }
    END { printf "%d of %d test classes%s", done, all, last == "" ? "" : ", at " last }' "$@"
}

count_classes() { # Test|IT MODULE...
  local kind=$1 module
  shift
  classes_expected=0
  for module in "$@"; do
    classes_expected=$((classes_expected + $(test_classes "$module" "$kind" | wc -l)))
  done
}

# Maven's verdict is not asked for: with --fail-never a module that fails hides no other. What
# failed, or never ran, shows in the reports.
readonly ONLY_TESTS=(--fail-never "${NO_COMPILING[@]}")

test_classes() { # MODULE Test|IT
  find "$root/$1/target/test-classes" -name "*$2.class" ! -name '*$*' 2>/dev/null
}

remove_reports() { # MODULE...
  local module
  for module in "$@"; do
    rm -rf "$root/$module/target/surefire-reports" "$root/$module/target/failsafe-reports"
  done
}

# ---- check --------------------------------------------------------------------------------------

run_check() {
  local named=() module main all keys code=0 started=$SECONDS wanted=() ready=() tally=(--quiet)
  while (($# > 0)); do
    case $1 in
      --install) install=1 ;;
      --help | -h)
        check_usage
        return 0
        ;;
      -*)
        check_usage >&2
        die $EXIT_USAGE "unknown option of check: $1"
        ;;
      *)
        modules | grep -qxF -- "${1%/}" \
          || die $EXIT_USAGE "check: there is no module '$1'; there are:" $(modules)
        named+=("${1%/}")
        ;;
    esac
    shift
  done
  need build "$install"
  take_lock
  keys=$(content_keys)
  while read -r module main all; do
    if ((${#named[@]} > 0)); then
      [[ " ${named[*]} " != *" $module "* ]] || wanted+=("$module")
    elif [[ $all != "$(cat "$root/$module/target/lockstep.checked" 2>/dev/null)" ]]; then
      wanted+=("$module")
    fi
  done <<<"$keys"
  build_changed all || code=$?
  ((code != 0)) || note_product
  if ((${#wanted[@]} == 0 && code == 0)); then
    unlock
    say "nothing changed since the last check"
    return 0
  fi
  while read -r module; do
    [[ -z $module ]] || ready+=("$module")
  done <<<"$(built_among "$keys" ${wanted[@]+"${wanted[@]}"})"
  if ((${#ready[@]} > 0)); then
    remove_reports "${ready[@]}"
    rm -f "${ready[@]/%//target/lockstep.checked}"
    say "unit tests of" "${ready[@]}" "(log: ${state#"$root/"}/check.log)"
    count_classes Test "${ready[@]}"
    if ((classes_expected > 0)); then
      set_aside_all_but "${ready[@]}"
      run_maven "$state/check.log" tests_progress "${ONLY_TESTS[@]}" -Dlockstep.it.skip=true \
        -Dlockstep.sim.percent=10 test || true
    fi
    ((code == 0)) || tally+=(--build-failed)
    if ((classes_expected == 0)) || run_tally "${tally[@]}" --kind Test -- "${ready[@]}"; then
      while read -r module main all; do
        [[ " ${ready[*]} " != *" $module "* ]] \
          || printf '%s\n' "$all" >"$root/$module/target/lockstep.checked"
      done <<<"$keys"
    else
      code=$EXIT_FAILED
    fi
  fi
  unlock
  if ((code == 0)); then
    say "checked in $((SECONDS - started)) s"
  else
    say "check failed after $((SECONDS - started)) s"
  fi
  return "$code"
}

run_tally() { # OPTION... -- MODULE...
  (cd "$root" && "$(find_jdk17)/bin/java" "$TALLY" "$@")
}

# ---- test ---------------------------------------------------------------------------------------

# Shows all runs as one.
all_progress() {
  tests_progress "$state"/{unit,first,second,third,alone}.log
}

# Starts the integration tests of the modules that chose this lane in their pom.xml.
start_lane() { # first|second|third ARGUMENT...
  local lane=$1 each others=()
  shift
  for each in first second third; do
    [[ $each == "$lane" ]] || others+=("-Dlockstep.it.skip.$each=true")
  done
  start_maven 0 "$state/$lane.log" "${others[@]}" "$@"
}

# Runs the tests of the given modules: integration tests in two lanes, and beneath them, in the time
# that those wait, the unit tests; after these a third lane; at last what must have the machine for
# itself.
test_modules() { # JAVA MODULE...
  local java=$1 tests integration side_by_side=failsafe:integration-test@side-by-side
  shift
  # Not 'verify', which packs the modules anew: the archive fits only the jars it was made of.
  integration=("${ONLY_TESTS[@]}" -Dlockstep.unit.skip=true
    "-Dlockstep.test.archive=$(archive_of "$java")" ${arguments[@]+"${arguments[@]}"} test-compile)
  say "tests (logs: unit.log, first.log, second.log, third.log and alone.log in ${state#"$root/"})"
  count_classes Test "$@"
  tests=$classes_expected
  count_classes IT "$@"
  classes_expected=$((classes_expected + tests))
  : >"$state/third.log"
  : >"$state/alone.log"
  set_aside_all_but "$@"
  start_lane first "${integration[@]}" "$side_by_side"
  beside=($!)
  start_lane second "${integration[@]}" "$side_by_side"
  beside+=($!)
  start_maven 19 "$state/unit.log" "${ONLY_TESTS[@]}" -Dlockstep.it.skip=true \
    ${arguments[@]+"${arguments[@]}"} test
  maven=$!
  watch_maven "" all_progress || true
  start_lane third "${integration[@]}" "$side_by_side"
  beside+=($!)
  while ((${#beside[@]} > 0)); do
    maven=${beside[0]}
    beside=("${beside[@]:1}")
    watch_maven "" all_progress || true
  done
  say "tests that run alone, after $((SECONDS - started)) s"
  run_maven "$state/alone.log" all_progress "${integration[@]}" failsafe:integration-test@alone || true
}

run_tests() {
  local arguments=() jdk="" java code=0 keys module ready=() tally=() started=$SECONDS
  while (($# > 0)); do
    case $1 in
      --install) install=1 ;;
      --no-skip) no_skip=1 ;;
      --jdk)
        [[ $# -ge 2 ]] || die $EXIT_USAGE "--jdk needs the home of a JDK"
        jdk=$2
        shift
        ;;
      --help | -h)
        test_usage
        return 0
        ;;
      --)
        shift
        arguments=("$@")
        break
        ;;
      *)
        test_usage >&2
        die $EXIT_USAGE "unknown option of test: $1"
        ;;
    esac
    shift
  done
  if [[ -n $jdk && ! -x $jdk/bin/java ]]; then
    die $EXIT_USAGE "--jdk $jdk: there is no bin/java"
  fi
  need test "$install"
  if [[ $install == 1 ]]; then
    "$root/scripts/check-deploy.sh" --install \
      || die $EXIT_MISSING "could not get the tools that check the examples for containers"
  fi
  take_lock
  if [[ -n $jdk ]]; then
    say "compiling on $(find_jdk17), testing on $jdk"
  else
    jdk=$(find_jdk17)
  fi
  java=$jdk/bin/java
  arguments+=("-Dlockstep.test.java=$java")
  # shellcheck disable=SC2046 # one word for each module
  remove_reports $(modules)
  build_changed all || code=$?
  if [[ $code == 0 ]]; then
    note_product
    refresh_archive "$java"
  else
    tally+=(--build-failed)
    say "going on with the modules that were built"
  fi
  keys=$(content_keys)
  # shellcheck disable=SC2046 # one word for each module
  while read -r module; do
    [[ -z $module ]] || ready+=("$module")
  done <<<"$(built_among "$keys" $(modules))"
  if ((${#ready[@]} > 0)); then
    test_modules "$java" "${ready[@]}"
  fi
  unlock
  [[ $no_skip == 0 ]] || tally+=(--no-skip)
  # Where the caller chose tests, the others are not missed.
  [[ " ${arguments[*]-} " != *" -Dtest="* && " ${arguments[*]-} " != *" -Dit.test="* ]] \
    || tally+=(--chosen)
  # shellcheck disable=SC2046 # one word for each module
  run_tally ${tally[@]+"${tally[@]}"} -- $(modules) || code=$EXIT_FAILED
  say "tested in $((SECONDS - started)) s"
  return "$code"
}
