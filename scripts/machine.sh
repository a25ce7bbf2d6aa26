# What this machine has, what is missing, and how to get it. Sourced by ../lockstep.
# shellcheck shell=bash

readonly MAVEN_NEEDED="3.8.7"

# Prints the home of a JDK 17 with a compiler; fails where there is none.
find_jdk17() {
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/*17* /opt/*17* "$HOME"/.sdkman/candidates/java/17* \
    "$HOME"/.jdks/*17* /Library/Java/JavaVirtualMachines/*17*/Contents/Home; do
    if [[ -n $home && -x $home/bin/javac && -x $home/bin/java ]] \
      && [[ $(java_major "$home/bin/java") == 17 ]]; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  local javac
  if javac=$(command -v javac) && [[ $("$javac" -version 2>&1) == "javac 17"* ]]; then
    home=$("$javac" -J-XshowSettings:properties -version 2>&1 \
      | awk -F' = ' '/java.home/ { print $2; exit }')
    printf '%s\n' "$home"
    return 0
  fi
  return 1
}

# Prints a java of version 17 or newer to run with.
find_java() {
  local home
  java_of_environment || { home=$(find_jdk17) && printf '%s\n' "$home/bin/java"; }
}

version_at_least() { # HAVE NEED
  local have need i
  IFS=. read -r -a have <<<"$1"
  IFS=. read -r -a need <<<"$2"
  for i in 0 1 2; do
    local h=${have[i]:-0} n=${need[i]:-0}
    h=${h%%[!0-9]*}
    if ((${h:-0} != n)); then
      ((${h:-0} > n))
      return
    fi
  done
}

maven_version() {
  mvn -v 2>/dev/null | awk '/Apache Maven/ { gsub(/\033\[[0-9;]*m/, ""); print $3; exit }'
}

maven_good() {
  command -v mvn >/dev/null 2>&1 && version_at_least "$(maven_version)" "$MAVEN_NEEDED"
}

# One line for each missing tool: Debian package, a tab, what it is.
missing_to_build() {
  find_jdk17 >/dev/null || printf 'openjdk-17-jdk-headless\tJDK 17 (with javac)\n'
  maven_good || printf 'maven\tMaven %s or newer\n' "$MAVEN_NEEDED"
}

missing_to_test() {
  missing_to_build
  { command -v ovs-vswitchd && command -v ovsdb-server && command -v ovs-vsctl; } >/dev/null 2>&1 \
    || printf 'openvswitch-switch\tOpen vSwitch (tests with real switches)\n'
  command -v ip >/dev/null 2>&1 || printf 'iproute2\tip (tests with real switches)\n'
  command -v ping >/dev/null 2>&1 || printf 'iputils-ping\tping (tests with real switches)\n'
  command -v ethtool >/dev/null 2>&1 || printf 'ethtool\tethtool (tests with real switches)\n'
  command -v iperf3 >/dev/null 2>&1 || printf 'iperf3\tiperf3 (tests with real switches)\n'
  command -v curl >/dev/null 2>&1 || printf 'curl\tcurl (tests with real switches)\n'
  command -v script >/dev/null 2>&1 || printf 'bsdutils\tscript (the test of the demo on a terminal)\n'
  command -v tshark >/dev/null 2>&1 || printf 'tshark\ttshark (tests that read captures)\n'
  command -v systemd-analyze >/dev/null 2>&1 || printf 'systemd\tsystemd-analyze (the test of the unit)\n'
  command -v adduser >/dev/null 2>&1 || printf 'adduser\tadduser (the test of the Debian package)\n'
  command -v mmdebstrap >/dev/null 2>&1 || [[ ! -d /etc/apt ]] \
    || printf 'mmdebstrap\tmmdebstrap (servers of the test of the Debian package)\n'
  command -v man >/dev/null 2>&1 || printf 'man-db\tman (the test of the Debian package)\n'
  [[ -x /usr/bin/python3 || ! -d /etc/apt ]] || printf 'python3\tpython3 (the test of the Debian package)\n'
  python3 -c 'import ensurepip, venv' 2>/dev/null \
    || printf 'python3-venv\tPython with venv (checks of the examples for containers)\n'
  command -v promtool >/dev/null 2>&1 || printf 'prometheus\tpromtool (tests of metrics and alerts)\n'
  command -v mn >/dev/null 2>&1 || printf 'mininet\tMininet (the test of requests for ONOS)\n'
  missing_etcd
}

missing_etcd() {
  command -v etcd >/dev/null 2>&1 || printf 'etcd-server\tetcd (a peer that the store is compared with)\n'
}

missing_to_compare() {
  missing_to_build
  missing_etcd
}

print_missing() {
  local package what packages=""
  say "missing on this machine:"
  while IFS=$'\t' read -r package what; do
    printf '  - %s\n' "$what" >&2
    packages="$packages $package"
  done <<<"$1"
  if command -v apt-get >/dev/null 2>&1; then
    say "to get it, run as root:  apt-get update && apt-get install -y$packages"
    say "or let this script do it, as root:  ./lockstep $command --install"
  elif command -v dnf >/dev/null 2>&1; then
    say "to get it:  dnf install java-17-openjdk-devel maven openvswitch iproute iputils ethtool iperf3 curl wireshark-cli"
  elif command -v brew >/dev/null 2>&1; then
    say "to get it:  brew install openjdk@17 maven   (the tests with Open vSwitch need Linux)"
  else
    say "to get it: a JDK 17 from https://adoptium.net, Maven from https://maven.apache.org;" \
      "the rest with your system's package tool"
  fi
}

install_missing() { # MISSING-LINES
  local packages
  packages=$(cut -f1 <<<"$1" | tr '\n' ' ')
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null 2>&1; then
    print_missing "$1"
    die $EXIT_MISSING "--install works as root on Debian and Ubuntu only"
  fi
  say "installing with apt-get: $packages"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q </dev/null >&2 || say "apt-get update failed; trying with the lists at hand"
  # shellcheck disable=SC2086 # a list of package names
  apt-get install -q -y --no-install-recommends $packages </dev/null >&2 \
    || die $EXIT_MISSING "apt-get could not install: $packages"
  say "installed: $packages"
}

# Makes sure that what a command needs is there, or ends.
need() { # build|test|compare INSTALL(0|1)
  local missing
  missing=$("missing_to_$1")
  if [[ -z $missing ]]; then
    return 0
  fi
  if [[ $2 == 1 ]]; then
    install_missing "$missing"
    missing=$("missing_to_$1")
    [[ -z $missing ]] && return 0
  fi
  print_missing "$missing"
  if [[ $1 == test && $2 == 0 && $no_skip == 0 && -z $(missing_to_build) ]]; then
    say "going on: the tests that need it are skipped"
    return 0
  fi
  exit $EXIT_MISSING
}
