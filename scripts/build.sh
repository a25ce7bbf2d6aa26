# Builds what changed, shows how far it is, and keeps what Maven says. Sourced by ../lockstep.
#
# A module's target/lockstep.built holds the keys of the content it was built from (content.sh) and
# the digest of what came out; 'none' stands where a step was left out. Times and paths do not count.
# shellcheck shell=bash

readonly dist="$root/deploy/target/dist/lib"
# Of the jars in dist these are the demo's outputs. All others are deploy's.
readonly DEMO_JARS="lockstep-demo-*.jar"
readonly state="$root/target/lockstep"
readonly lock="$state/lock"
# What the jars in dist were built from, and their digest.
readonly product="$state/product"

locked=0
# The process of the Maven run that is watched, and of those that run at the same time.
maven=""
beside=()
aside=()
# What an unfinished step leaves, and a later one does not need.
scratch=""

unlock() {
  if [[ $locked == 1 ]]; then
    rm -rf "$lock"
    locked=0
  fi
}

leave() {
  local run
  for run in $maven ${beside[@]+"${beside[@]}"}; do
    kill "$run" 2>/dev/null || true
    wait "$run" 2>/dev/null || true
  done
  ((${#aside[@]} == 0)) || rm -f "${aside[@]}"
  [[ -z $scratch ]] || rm -rf "$scratch"
  unlock
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Takes the lock where it is free, or where its owner is gone.
try_lock() {
  local owner
  mkdir -p "$state"
  if ! mkdir "$lock" 2>/dev/null; then
    owner=$(cat "$lock/pid" 2>/dev/null || true)
    if [[ -z $owner ]] || kill -0 "$owner" 2>/dev/null; then
      return 1
    fi
    rm -rf "$lock"
    mkdir "$lock" 2>/dev/null || return 1
  fi
  locked=1
  printf '%s\n' $$ >"$lock/pid"
}

# One build or test run at a time in one checkout.
take_lock() {
  local shown=0
  until try_lock; do
    [[ $shown == 1 ]] || say "waiting for process $(cat "$lock/pid" 2>/dev/null || echo '?')," \
      "which builds or tests in this checkout"
    shown=1
    sleep 1
  done
}

# ---- what is built ------------------------------------------------------------------------------

dist_digest() {
  find "$dist" -name 'lockstep-*.jar' | digests | cut -c1-64 | digest
}

product_is_there() {
  [[ -f $product && -n $(find "$dist" -name 'lockstep-deploy-*.jar' 2>/dev/null) \
    && -n $(find "$dist" -name "$DEMO_JARS") ]]
}

product_is_current() {
  product_is_there && [[ "$(product_key) $(dist_digest)" == "$(cat "$product")" ]]
}

# The digest of what a module's build left: classes or jars that another command wrote meanwhile
# differ.
outputs_of() { # MODULE
  (
    cd "$root/$1/target" 2>/dev/null || exit 0
    {
      find . \( -path './classes/*' -o -path './test-classes/*' -o -name 'lockstep-*.jar' \) -type f \
        ! -name "$DEMO_JARS"
      [[ $1 != demo || ! -d $dist ]] || find "../../${dist#"$root/"}" -name "$DEMO_JARS"
    } | digests | digest
  )
}

# Whether a module was built from this content; 'none' in place of a key asks for no such step.
is_built() { # MODULE MAIN-KEY ALL-KEY
  local main all outputs
  read -r main all outputs 2>/dev/null <"$root/$1/target/lockstep.built" || return 1
  [[ $main == "$2" && ($3 == none || $all == "$3") && $outputs == "$(outputs_of "$1")" ]]
}

# ---- Maven, watched -----------------------------------------------------------------------------

# Shows how far something is: on a terminal in one line that changes, else in a line every 15 s.
shown_progress=""
show_progress() { # TEXT SECONDS
  if on_terminal; then
    printf '\r\033[K%s' "lockstep: $1, $2 s" >&2
    shown_progress=$1
  elif (($2 % 15 == 0)) && [[ "$1, $2 s" != "$shown_progress" ]]; then
    shown_progress="$1, $2 s"
    say "$shown_progress"
  fi
}

end_progress() {
  if on_terminal && [[ -n $shown_progress ]]; then
    printf '\r\033[K' >&2
  fi
  shown_progress=""
}

# Leaves all but the given modules out of the next Maven run: they only lend what they built before.
set_aside_all_but() { # MODULE...
  local module
  aside=()
  for module in $(modules); do
    if [[ " $* " != *" $module "* ]]; then
      mkdir -p "$root/$module/target"
      aside+=("$root/$module/target/lockstep.aside")
    fi
  done
  ((${#aside[@]} == 0)) || touch "${aside[@]}"
}

# Starts Maven, its output in a log of its own, and with the priority that is given. The process is $!.
start_maven() { # NICENESS LOG ARGUMENT...
  local niceness=$1 log=$2
  shift 2
  # A build is over before the second compiler of the JVM has paid for itself. Each module loads the
  # analysis anew, so without more room for compiled code the JVM runs out of it.
  (
    cd "$root"
    export JAVA_HOME MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:+UseParallelGC ${MAVEN_OPTS:-}"
    JAVA_HOME=$(find_jdk17)
    exec nice -n "$niceness" mvn -B -ntp -Dstyle.color=never -Dlockstep.aside "$@"
  ) </dev/null >"$log" 2>&1 &
}

# Waits until the watched Maven run ends, and gives its exit code; PROGRESS LOG prints how far it is.
watch_maven() { # LOG PROGRESS
  local log=$1 progress=$2 started=$SECONDS code=0 looked=0
  # Of its own jobs the shell knows which run, also where a process id was used again.
  while jobs -pr | grep -qx "$maven"; do
    sleep 0.2
    looked=$((looked + 1))
    ((looked % 5 != 0)) || show_progress "$("$progress" "$log")" $((SECONDS - started))
  done
  # The shell forgets the exit code of a run that ended long ago once its process id is used again.
  wait "$maven" 2>/dev/null || code=$?
  maven=""
  end_progress
  return $code
}

# Lets the modules that were left out take part again.
unset_aside() {
  ((${#aside[@]} == 0)) || rm -f "${aside[@]}"
  aside=()
}

# Runs Maven; the modules left out of this run take part in the next.
run_maven() { # LOG PROGRESS ARGUMENT...
  local log=$1 progress=$2 code=0
  shift 2
  start_maven 0 "$log" "$@"
  maven=$!
  watch_maven "$log" "$progress" || code=$?
  unset_aside
  return $code
}

# ---- building -----------------------------------------------------------------------------------

stale=()
build_progress() { # LOG -> 3 of 12 modules built, at lockstep-apps
  local module artifact built=0
  for module in "${stale[@]}"; do
    artifact=$(artifact_of "$module")
    ! grep -qE -- "^\[INFO\] --- [a-z-]*jar[a-z-]*:[^ ]*:jar .* @ $artifact ---" "$1" \
      || built=$((built + 1))
  done
  printf '%d of %d modules built%s' $built ${#stale[@]} \
    "$(sed -n 's/^\[INFO\] --- .* @ \(.*\) ---$/, at \1/p' "$1" | tail -n 1)"
}

# Whether Maven's summary says that a module went well.
succeeded() { # MODULE LOG
  grep -q "^\[INFO\] $(name_of "$1") \.* SUCCESS" "$2"
}

# Builds what changed of the product, or of all: tests and peers, too. The lock is held.
build_changed() { # product|all
  local scope=$1 module main all keys log="$state/build.log" started=$SECONDS code=0
  local arguments=(-fae -T 2 -Dlockstep.unit.skip=true -Dlockstep.it.skip=true)
  keys=$(content_keys)
  stale=()
  while read -r module main all; do
    if [[ $scope == product ]]; then
      ! is_peer "$module" || continue
      all=none
    fi
    is_built "$module" "$main" "$all" || stale+=("$module")
  done <<<"$keys"
  if ((${#stale[@]} == 0)); then
    return 0
  fi
  case $scope in
    product) arguments+=(-Dlockstep.testcompile.skip=true -pl "$(peers_left_out)" package) ;;
    all) arguments+=(verify) ;;
  esac
  say "building ${#stale[@]} modules; the first time fetches libraries, too (log: ${log#"$root/"})"
  for module in "${stale[@]}"; do
    # What Maven takes for up to date by its time may come from other content.
    (
      cd "$root/$module/target" 2>/dev/null || exit 0
      rm -rf lockstep.built classes test-classes maven-status generated-sources \
        generated-test-sources lockstep-*.jar
      [[ ! -d dist/lib ]] || find dist/lib -type f ! -name "$DEMO_JARS" -delete
      # shellcheck disable=SC2086 # a pattern
      [[ $module != demo ]] || rm -f "$dist"/$DEMO_JARS
    )
  done
  set_aside_all_but "${stale[@]}"
  run_maven "$log" build_progress "${arguments[@]}" || code=$?
  while read -r module main all; do
    if [[ " ${stale[*]} " == *" $module "* ]] && succeeded "$module" "$log"; then
      [[ $scope == all ]] || all=none
      printf '%s %s %s\n' "$main" "$all" "$(outputs_of "$module")" \
        >"$root/$module/target/lockstep.built"
    elif [[ " ${stale[*]} " == *" $module "* ]]; then
      say "not built: $(name_of "$module") ($module)"
    fi
  done <<<"$keys"
  if [[ $code != 0 ]]; then
    grep -E '^\[ERROR\]' "$log" | grep -vE '^\[ERROR\] *$|Re-run Maven|To see the full|->|\[Help|For more information|correcting the problems|-rf :' \
      | awk '!seen[$0]++' | head -n 25 >&2 || true
    say "the build failed after $((SECONDS - started)) s; all that Maven said is in $log"
    return $EXIT_FAILED
  fi
  say "built in $((SECONDS - started)) s"
}

peers_left_out() {
  local module list=""
  for module in $(modules); do
    ! is_peer "$module" || list+=",!$module"
  done
  printf '%s' "${list#,}"
}

# Writes down what the product in dist is.
note_product() {
  printf '%s %s\n' "$(product_key)" "$(dist_digest)" >"$product"
}

# Builds the product where its content changed.
build() {
  if product_is_current; then
    if ! archive_fits "$(find_java)" && try_lock; then
      refresh_archive
      unlock
    fi
    return 0
  fi
  need build "$install"
  take_lock
  if ! product_is_current; then
    build_changed product || exit $?
    note_product
    refresh_archive
  fi
  unlock
}

# Builds the product and the other stores.
build_peers() {
  need build "$install"
  take_lock
  build_changed all || exit $?
  note_product
  refresh_archive
  unlock
}

# ---- the archive of loaded classes --------------------------------------------------------------

# The JVM writes down the classes that a node needs: later starts take half the time. Without the
# archive everything works, only slower. It fits one JVM, one place and the jars it was made of.
archive_of() { # JAVA-BINARY
  printf '%s/node-%s.jsa\n' "${dist%/lib}" "$(java_major "$1")"
}

# Whether there was a try for these jars at this place; it may have failed.
archive_fits() { # JAVA-BINARY
  local archive
  archive=$(archive_of "$1")
  [[ $(cat "$archive.of" 2>/dev/null) == "$dist" ]] \
    && [[ -z $(find "$dist" -name '*.jar' -newer "$archive.of") ]]
}

refresh_archive() { # [JAVA-BINARY]
  local java=${1-} archive
  [[ -n $java ]] || java=$(find_java) || return 0
  archive=$(archive_of "$java")
  ! archive_fits "$java" || return 0
  rm -f "$archive"
  "$java" -XX:ArchiveClassesAtExit="$archive" -XX:+UseSerialGC -Xmx256m -Xlog:disable \
    -cp "$dist/*" io.lockstep.deploy.Main rehearse </dev/null >"$state/rehearsal.log" 2>&1 \
    || rm -f "$archive"
  printf '%s\n' "$dist" >"$archive.of"
}
