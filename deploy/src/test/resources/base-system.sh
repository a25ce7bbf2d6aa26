#!/bin/bash
# Makes a bare Debian for views (machine-view.sh), once, and prints its directory: the release of the machine
# that tests, from where that gets its packages, with what Lockstep's package and the test need: a JRE,
# adduser, systemd's tools and python3, but no man. Where it cannot be had it says why and ends with 3.
#
# Usage, as root: base-system.sh CACHE
set -euo pipefail
export LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
readonly include=adduser,openjdk-17-jre-headless,python3,systemd
readonly patience=90
cache=$1

cannot() { # REASON
  printf 'no bare system: %s\n' "$1" >&2
  exit 3
}

[[ $(id -u) == 0 ]] || cannot "needs root"
command -v mmdebstrap >/dev/null || cannot "mmdebstrap is not installed"
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# Of apt's sources the one that has this release.
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
  | awk -v release="$release" '$2 == release && $3 == "main" { print $1; exit }')
[[ -n $mirror ]] || cannot "apt has no source of the release '$release'"

# One that this file would make otherwise is another one.
base="$cache/base-$release-$(sha256sum <"$0" | cut -c1-12)"
mkdir -p "$cache"
exec 9>"$cache/base.lock"
flock 9
if [[ ! -d $base ]]; then
  log="$cache/base.log"
  code=0
  # Not those that another checkout may use now.
  find "$cache" -maxdepth 1 -name 'base-*' -mmin +1440 -exec rm -rf {} +
  rm -rf "$base.unfinished"
  # dpkg would wait for the disk after each file.
  timeout "$patience" mmdebstrap --variant=minbase --include="$include" --dpkgopt=force-unsafe-io \
    "$release" "$base.unfinished" "$mirror" >"$log" 2>&1 9>&- || code=$?
  [[ $code == 0 ]] || cannot "mmdebstrap ended with $code: $(tail -n 1 "$log")"
  mv "$base.unfinished" "$base"
fi
touch "$base"
printf '%s\n' "$base"
