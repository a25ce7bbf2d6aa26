# Which content a module is made of, so that only what changed is built and tested. Sourced by
# ../lockstep.
#
# Each module has two keys, both independent of times and of where the checkout lies:
#   main  its pom.xml, src/main, the files all modules share, and the main keys of the modules that
#         it depends on: what its jar is made of
#   all   besides that src/test, the files its tests read elsewhere, and what the test-jars that it
#         uses are made of: what its unit tests depend on
# shellcheck shell=bash

if command -v sha256sum >/dev/null 2>&1; then
  readonly DIGEST="sha256sum"
else
  readonly DIGEST="shasum -a 256"
fi

# The digest of standard input.
digest() {
  $DIGEST | cut -c1-64
}

# A line "DIGEST  PATH" for each file named on standard input, in the order of the paths.
digests() {
  # shellcheck disable=SC2086 # a command and its arguments
  LC_ALL=C sort -u | tr '\n' '\0' | xargs -0 $DIGEST
}

# The modules in the order of the root's pom.xml, which names each after those it depends on.
modules() {
  sed -n 's:.*<module>\(.*\)</module>.*:\1:p' "$root/pom.xml"
}

# Modules that only 'bench compare' and the tests need: other stores, some 70 MB to fetch.
is_peer() { # MODULE
  [[ $1 == bench/peer-* ]]
}

artifact_of() { # MODULE -> lockstep-datastore
  sed -n '/<\/parent>/,$ s:.*<artifactId>\(lockstep-[a-z0-9-]*\)</artifactId>.*:\1:p' \
    "$root/$1/pom.xml" | head -n 1
}

name_of() { # MODULE -> Lockstep data store
  sed -n '/<\/parent>/,$ s:.*<name>\(.*\)</name>.*:\1:p' "$root/$1/pom.xml" | head -n 1
}

# The modules' artifacts that a module depends on, a test-jar with ':tests' behind it.
dependencies_of() { # MODULE
  awk '
    /<dependency>/ { artifact = ""; tests = "" }
    /<artifactId>lockstep-/ { gsub(/.*<artifactId>|<\/artifactId>.*/, ""); artifact = $0 }
    /<type>test-jar</ { tests = ":tests" }
    /<\/dependency>/ && artifact != "" { print artifact tests; artifact = "" }
  ' "$root/$1/pom.xml"
}

# What a module's tests read outside of it, as its pom.xml says: paths from the root.
read_elsewhere() { # MODULE
  sed -n 's:.*<lockstep.tests.read>\(.*\)</lockstep.tests.read>.*:\1:p' "$root/$1/pom.xml"
}

# What all product jars together are made of: one key, found in a tenth of a second.
product_key() {
  local module
  (
    cd "$root"
    {
      printf '%s\n' pom.xml
      find .mvn -type f
      for module in $(modules); do
        is_peer "$module" || find "$module/pom.xml" "$module/src/main" -type f
      done
    } | digests
  ) | digest
}

# Prints "MODULE MAIN-KEY ALL-KEY" for every module.
content_keys() {
  local module artifact dependency path main all key shared sums keys=""
  sums=$(
    cd "$root"
    {
      printf '%s\n' pom.xml
      find .mvn -type f
      for module in $(modules); do
        printf '%s\n' "$module/pom.xml"
        [[ ! -d $module/src ]] || find "$module/src" -type f
        for path in $(read_elsewhere "$module"); do find "$path" -type f; done
      done
    } | digests
  )
  sums_of() { # PATH-PREFIX
    awk -v prefix="$1" 'index(substr($0, 67), prefix) == 1' <<<"$sums"
  }
  key_of() { # ARTIFACT main|all
    awk -v artifact="$1" -v kind="$2" '$1 == artifact { print kind == "main" ? $3 : $4 }' <<<"$keys"
  }
  shared=$(sums_of pom.xml && sums_of .mvn/)
  for module in $(modules); do
    artifact=$(artifact_of "$module")
    main=$shared$(sums_of "$module/pom.xml" && sums_of "$module/src/main/")
    all=$(sums_of "$module/src/test/")
    for path in $(read_elsewhere "$module"); do
      all+=$(sums_of "$path")
    done
    for dependency in $(dependencies_of "$module"); do
      key=$(key_of "${dependency%:tests}" main)
      [[ -n $key ]] || die $EXIT_FAILED \
        "pom.xml names the module $module before $dependency, on which it depends: change their order"
      main+=$key
      [[ $dependency != *:tests ]] || all+=$(key_of "${dependency%:tests}" all)
    done
    main=$(digest <<<"$main")
    all=$(digest <<<"$main $all")
    keys+="$artifact $module $main $all"$'\n'
  done
  awk 'NF { print $2, $3, $4 }' <<<"$keys"
}
