# lockstep-api: what applications and clients of the store are compiled against. Sourced by ../lockstep,
# used by package.sh. See docs/adr/0038.
# shellcheck shell=bash
# shellcheck disable=SC2154 # package.sh sets scratch

# The modules with the classes, as in dist and as in the sources.
readonly API_MODULES=(keys datastore controller-core)

api_name() {
  printf 'lockstep-api-%s\n' "$(product_version)"
}

# Prints the files of a directory that the list names, such as io/lockstep/store/Bytes.class, sorted.
api_files() { # DIRECTORY SUFFIX
  local line class
  (
    cd "$1"
    while read -r line; do
      [[ -n $line && $line != \#* ]] || continue
      class=${line//.//}
      if [[ $class == */\* ]]; then
        find "${class%/\*}" -maxdepth 1 -name "*$2"
      else
        find "${class%/*}" -maxdepth 1 \( -name "${class##*/}$2" -o -name "${class##*/}\$*$2" \)
      fi
    done <"$root/deploy/package/api/classes"
  ) | LC_ALL=C sort -u
}

# A jar of the files named on standard input, the same bytes for the same content.
api_jar() { # JAR DIRECTORY
  local file list="$scratch/api-entries"
  while read -r file; do
    printf -- '-C "%s" "%s"\n' "$2" "$file"
  done >"$list"
  [[ -s $list ]] || die $EXIT_FAILED "nothing to put into ${1##*/}: see deploy/package/api/classes"
  "$jdk/bin/jar" --create --file "$1" --no-manifest --date "$(time_of_content)" "@$list" \
    || die $EXIT_FAILED "cannot write $1"
}

# Versions as the root's pom.xml has them; commons-lang3 has its own there.
api_pom() {
  local property version pom
  pom=$(sed "s/@VERSION@/$(product_version)/" "$root/deploy/package/api/pom.xml")
  for property in onos guava jspecify slf4j; do
    version=$(sed -n "s:.*<$property.version>\(.*\)</$property.version>.*:\1:p" "$root/pom.xml")
    pom=${pom//@$property.version@/$version}
  done
  version=$(sed -n '/<artifactId>commons-lang3</,/<\/dependency>/ s:.*<version>\(.*\)</version>.*:\1:p' "$root/pom.xml")
  printf '%s\n' "${pom//@commons-lang3.version@/$version}"
}

# Makes the jar, those of its sources and Javadoc, and its pom.xml.
make_api() {
  local jdk module name classes="$scratch/api-classes" sources="$scratch/api-sources" javadoc="$scratch/api-javadoc"
  jdk=$(find_jdk17) || die $EXIT_MISSING "package api needs a JDK 17: install openjdk-17-jdk-headless"
  name="$scratch/$(api_name)"
  mkdir -p "$classes" "$sources" "$javadoc"
  for module in "${API_MODULES[@]}"; do
    (cd "$classes" && "$jdk/bin/jar" --extract --file "$dist/lockstep-$module-$(product_version).jar" io) \
      || die $EXIT_FAILED "cannot read the jar of $module"
    cp -R "$root/$module/src/main/java/." "$sources/"
  done
  api_files "$classes" .class | api_jar "$name.jar" "$classes"
  api_files "$sources" .java | api_jar "$name-sources.jar" "$sources"
  # shellcheck disable=SC2046 # one word for each file
  (cd "$sources" && "$jdk/bin/javadoc" -quiet -notimestamp -Xdoclint:none -encoding UTF-8 -docencoding UTF-8 \
    -charset UTF-8 -windowtitle "Lockstep API $(product_version)" -doctitle "Lockstep API $(product_version)" \
    -classpath "$dist/*" -d "$javadoc" $(api_files "$sources" .java)) >"$scratch/javadoc.log" 2>&1 || {
    cat "$scratch/javadoc.log" >&2
    die $EXIT_FAILED "javadoc failed"
  }
  (cd "$javadoc" && find . -type f | sed 's:^\./::' | LC_ALL=C sort) | api_jar "$name-javadoc.jar" "$javadoc"
  api_pom >"$name.pom"
}
