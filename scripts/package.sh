# './lockstep package': an archive of the product for machines that only have Java. Sourced by
# ../lockstep.
# shellcheck shell=bash

readonly archives="$root/deploy/target/packages"

package_usage() {
  cat <<'TEXT'
Usage: ./lockstep package [--install]

Builds what changed of the product, and makes deploy/target/packages/lockstep-VERSION.tar.gz of it: all
that a machine needs to run Lockstep, besides Java 17. Prints the archive's path on standard output. The
same content gives the same bytes.

  --install  as root on Debian or Ubuntu: first install what is missing to build
TEXT
}

# GNU tar sorts names and sets times and owners; other systems call it gtar.
find_gnu_tar() {
  local tar
  for tar in tar gtar; do
    if [[ $("$tar" --version 2>/dev/null) == *"GNU tar"* ]]; then
      printf '%s\n' "$tar"
      return 0
    fi
  done
  return 1
}

# The version that the jars have, such as 0.1.0-SNAPSHOT.
product_version() {
  local jar
  jar=$(find "$dist" -name 'lockstep-deploy-*.jar')
  jar=${jar##*/lockstep-deploy-}
  printf '%s\n' "${jar%.jar}"
}

# The time that Maven writes into the jars, too.
time_of_content() {
  sed -n 's:.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*:\1:p' "$root/pom.xml"
}

# Puts together what the package holds.
lay_out() { # DIRECTORY
  mkdir -p "$1"/{bin,docs/adr,examples/{block-list,profiles,systemd,three-nodes},lib,libexec}
  cp "$root/deploy/package/lockstep" "$1/bin/lockstep"
  chmod 755 "$1/bin/lockstep"
  # So './lockstep COMMAND' works in the package too, as documents and messages write it.
  ln -s bin/lockstep "$1/lockstep"
  cp "$root/scripts/commands.sh" "$1/libexec/"
  cp "$dist"/*.jar "$1/lib/"
  cp "$root/LICENSE" "$root/deploy/package/README.md" "$1/"
  cp "$root"/docs/{APPLICATIONS,LARGE_NETWORKS,LOAD_BALANCER,OPERATING,SCALE,STORE_ACCESS,SWITCH_PROFILES,TRACES}.md "$1/docs/"
  # These documents refer to decisions.
  cp "$root"/docs/adr/*.md "$1/docs/adr/"
  # By name, since nodes that ran here left their data beside the examples.
  cp "$root"/examples/three-nodes/*.yaml "$1/examples/three-nodes/"
  cp "$root"/examples/systemd/*.service "$1/examples/systemd/"
  # By name here, too: it is built where it lies.
  cp "$root"/examples/block-list/{build.sh,pom.xml} "$1/examples/block-list/"
  cp -R "$root/examples/block-list/src" "$1/examples/block-list/"
  cp "$root"/placer/src/main/resources/io/lockstep/placer/profile/*.yaml \
    "$1/examples/profiles/"
}

run_package() {
  local tar name archive
  while (($# > 0)); do
    case $1 in
      --install) install=1 ;;
      --help | -h)
        package_usage
        return 0
        ;;
      *)
        package_usage >&2
        die $EXIT_USAGE "unknown option of package: $1"
        ;;
    esac
    shift
  done
  tar=$(find_gnu_tar) || die $EXIT_MISSING "package needs GNU tar, as tar or gtar in PATH: install it"
  command -v gzip >/dev/null || die $EXIT_MISSING "package needs gzip: install it"
  build
  # No other run may build into the jars while they are read.
  take_lock
  name=lockstep-$(product_version)
  archive="$archives/$name.tar.gz"
  # Beside the archive, so that one rename puts the whole archive in its place.
  scratch="$archives/unfinished"
  rm -rf "$scratch"
  lay_out "$scratch/$name"
  "$tar" --create --directory="$scratch" --format=ustar --sort=name --mtime="$(time_of_content)" \
    --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "$name" \
    | gzip -n >"$scratch/$name.tar.gz" || die $EXIT_FAILED "cannot write $scratch/$name.tar.gz"
  mv -f "$scratch/$name.tar.gz" "$archive"
  rm -rf "$scratch"
  unlock
  printf '%s\n' "$archive"
  say "$(wc -c <"$archive") bytes, sha256 $(digest <"$archive")"
}
