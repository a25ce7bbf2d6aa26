# './lockstep package': the product as an archive, for machines that only have Java, and as a package for
# Debian (package-deb.sh). Sourced by ../lockstep. See docs/adr/0038.
# shellcheck shell=bash

readonly archives="$root/deploy/target/packages"

package_usage() {
  cat <<'TEXT'
Usage: ./lockstep package [--install] [KIND...]

Builds what changed of the product, and packs it in deploy/target/packages. Prints the path of each
package on standard output. The same content gives the same bytes.

  archive    lockstep-VERSION.tar.gz: all that a machine needs to run Lockstep, besides Java 17
  deb        lockstep_VERSION_all.deb: the same for Debian and Ubuntu, with a service
  api        lockstep-api-VERSION.jar, its sources, Javadoc and pom: what applications are compiled against
  --install  as root on Debian or Ubuntu: first install what is missing to build

Without a KIND it makes all of them.
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

day_of_content() {
  local time
  time=$(time_of_content)
  printf '%s\n' "${time%T*}"
}

# Man pages and completion, as the commands are now, below a directory's share.
document_commands() { # DIRECTORY
  local java share="$1/share"
  java=$(find_java) || die_without_java
  "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$dist/*" io.lockstep.deploy.Main manual \
    --operating "$root/docs/OPERATING.md" --example "$root/examples/systemd/node.yaml" \
    --date "$(day_of_content)" --out "$share" \
    || die $EXIT_FAILED "cannot write the man pages and completion in $share"
  find "$share/man" -type f | LC_ALL=C sort | tr '\n' '\0' | xargs -0 gzip -9n \
    || die $EXIT_FAILED "cannot compress the man pages in $share/man"
}

# Puts together what the archive holds.
lay_out() { # DIRECTORY
  mkdir -p "$1"/{bin,docs/adr,examples/{ansible/templates,block-list,compose,kubernetes,monitoring,profiles,systemd,three-nodes},lib,libexec}
  cp "$root/deploy/package/lockstep" "$1/bin/lockstep"
  chmod 755 "$1/bin/lockstep"
  # So './lockstep COMMAND' works in the package too, as documents and messages write it.
  ln -s bin/lockstep "$1/lockstep"
  cp "$root/scripts/commands.sh" "$root/deploy/package/health" "$1/libexec/"
  cp "$dist"/*.jar "$1/lib/"
  cp "$root/LICENSE" "$root/CHANGELOG.md" "$root/deploy/package/README.md" "$1/"
  cp "$root"/docs/{APPLICATIONS,GUIDE,LARGE_NETWORKS,LOAD_BALANCER,ONOS_REST,OPERATING,RUNBOOK,SCALE,STORE_ACCESS}.md "$1/docs/"
  cp "$root"/docs/{SWITCHES,SWITCH_PROFILES,TRACES}.md "$1/docs/"
  # These documents refer to decisions.
  cp "$root"/docs/adr/*.md "$1/docs/adr/"
  # By name, since nodes that ran here left their data, and pki its private keys, beside the examples.
  cp "$root"/examples/three-nodes/*.yaml "$1/examples/three-nodes/"
  cp "$root"/examples/systemd/{lockstep.service,lockstep.default,node.yaml} "$1/examples/systemd/"
  cp "$root"/examples/ansible/{inventory.ini,playbook.yaml} "$1/examples/ansible/"
  cp "$root/examples/ansible/templates/node.yaml.j2" "$1/examples/ansible/templates/"
  cp "$root/examples/compose/compose.yaml" "$1/examples/compose/"
  cp "$root/examples/kubernetes/lockstep.yaml" "$1/examples/kubernetes/"
  cp "$root"/examples/monitoring/{README.md,prometheus.yml,lockstep-alerts.yml} "$1/examples/monitoring/"
  cp -R "$root/examples/monitoring/grafana" "$1/examples/monitoring/"
  cp "$root/examples/onos-rest.sh" "$1/examples/"
  # By name here, too: it is built where it lies.
  cp "$root"/examples/block-list/{build.sh,pom.xml} "$1/examples/block-list/"
  cp -R "$root/examples/block-list/src" "$1/examples/block-list/"
  cp "$root"/placer/src/main/resources/io/lockstep/placer/profile/*.yaml \
    "$1/examples/profiles/"
  document_commands "$1"
}

# Writes the content of a directory, the same bytes for the same content.
pack() { # DIRECTORY NAME-IN-IT FILE
  "$tar" --create --directory="$1" --format=ustar --sort=name --mtime="$(time_of_content)" \
    --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "$2" \
    | gzip -n >"$3" || die $EXIT_FAILED "cannot write $3"
}

# Puts a finished package in its place with one rename, and says so.
deliver() { # FILE
  local package="$archives/${1##*/}"
  mv -f "$1" "$package"
  printf '%s\n' "$package"
  say "$(wc -c <"$package") bytes, sha256 $(digest <"$package")"
}

run_package() {
  local tar name part kinds=""
  while (($# > 0)); do
    case $1 in
      --install) install=1 ;;
      --help | -h)
        package_usage
        return 0
        ;;
      archive | deb | api) kinds+=" $1 " ;;
      *)
        package_usage >&2
        die $EXIT_USAGE "unknown option or kind of package: $1"
        ;;
    esac
    shift
  done
  [[ -n $kinds ]] || kinds=" archive  deb  api "
  tar=$(find_gnu_tar) || die $EXIT_MISSING "package needs GNU tar, as tar or gtar in PATH: install it"
  command -v gzip >/dev/null || die $EXIT_MISSING "package needs gzip: install it"
  [[ $kinds != *" deb "* ]] || command -v md5sum >/dev/null \
    || die $EXIT_MISSING "package deb needs md5sum: install the GNU coreutils, or make: package archive"
  build
  # No other run may build into the jars while they are read.
  take_lock
  name=lockstep-$(product_version)
  # Beside the packages, so that one rename puts a whole package in its place.
  scratch="$archives/unfinished"
  rm -rf "$scratch"
  mkdir -p "$scratch"
  [[ $kinds == " api " ]] || lay_out "$scratch/$name"
  if [[ $kinds == *" archive "* ]]; then
    pack "$scratch" "$name" "$scratch/$name.tar.gz"
    deliver "$scratch/$name.tar.gz"
  fi
  if [[ $kinds == *" deb "* ]]; then
    make_deb "$scratch/$name"
    deliver "$scratch/$(deb_name)"
  fi
  if [[ $kinds == *" api "* ]]; then
    make_api
    for part in .jar -sources.jar -javadoc.jar .pom; do deliver "$scratch/$(api_name)$part"; done
  fi
  rm -rf "$scratch"
  unlock
}
