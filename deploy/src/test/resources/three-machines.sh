#!/bin/bash
# Follows the guide for operators on three machines and on one that makes their keys: views of this one,
# each with a network of its own, on one wire. Removes the package from one of them at the end.
#
# Usage, as root: unshare --mount --net --pid --fork --kill-child
#   bash three-machines.sh DEB GUIDE SECONDS [BASE]
#
# GUIDE is a directory with what stands in the guide: 'install' for all machines, 'keys' for the fourth,
# 'start' for the three, whose last line asks running nodes, and 'node.yaml' of n1. The stand-ins for
# systemctl, scp and the editor are the only tools that a machine has not. BASE is a directory with another
# system. Prints what it saw as lines KEY=VALUE.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=machine-view.sh
. "$here/machine-view.sh"
deb=$1 guide=$2 patience=$3 base=${4-}

mkdir -p /run/netns
mount -t tmpfs names /run/netns
ip link add wire type bridge
ip link set wire up

on() { # NUMBER COMMAND ARGUMENT...
  ip netns exec "m$1" chroot "$(root_of "m$1")" "${@:2}"
}

make_machine() { # NUMBER
  local root
  make_view "m$1" ${base:+"$base"}
  root=$(root_of "m$1")
  ip netns add "m$1"
  ip link add "wire$1" type veth peer name eth0 netns "m$1"
  ip link set "wire$1" master wire up
  ip -netns "m$1" link set lo up
  ip -netns "m$1" address add "10.0.0.$1/24" dev eth0
  ip -netns "m$1" link set eth0 up
  cp "$deb" "$root/root/"
  cp "$here/with-system-calls-of.py" "$root/run/"
  sed "s/^node: n1.*/node: n$1/" "$guide/node.yaml" >"$root/run/node.yaml"
  mkdir -p "$root/usr/local/sbin"
  cp "$here/systemctl-stand-in.sh" "$root/usr/local/sbin/systemctl"
  printf '#!/bin/sh\ncat /run/node.yaml >"$1"\n' >"$root/usr/local/sbin/editor"
  chmod 755 "$root/usr/local/sbin"/{systemctl,editor}
}

follow() { # NUMBER FILE
  cp "$2" "$(root_of "m$1")/run/commands"
  on "$1" sh -euc 'cd /root; . /run/commands' >"$outside/m$1" 2>&1 </dev/null || {
    cat "$outside/m$1" >&2
    return 1
  }
}

# On several machines at the same time.
all_follow() { # FILE NUMBER...
  local file=$1 number following=() each
  shift
  for number in "$@"; do
    follow "$number" "$file" &
    following+=($!)
  done
  for each in "${following[@]}"; do wait "$each"; done
}

for number in 1 2 3 4; do make_machine $number; done
# The others as the fourth reaches them: scp -r DIRECTORY root@10.0.0.NUMBER:PLACE.
for number in 1 2 3; do
  mkdir -p "$(root_of m4)/run/10.0.0.$number"
  mount --bind "$(root_of m$number)" "$(root_of m4)/run/10.0.0.$number"
done
cat >"$(root_of m4)/usr/local/sbin/scp" <<'SCP'
#!/bin/sh
[ "$1" = -r ] && exec cp -r "$2" "/run/$(printf '%s\n' "$3" | sed 's/^root@//; s/://')"
SCP
chmod 755 "$(root_of m4)/usr/local/sbin/scp"
all_follow "$guide/install" 1 2 3 4
follow 4 "$guide/keys"
head -n -1 "$guide/start" >"$outside/start"
all_follow "$outside/start" 1 2 3
asked=$(tail -n 1 "$guide/start")
for number in 1 2 3; do
  journal=$(root_of m$number)/run/journal
  await "$patience" "$journal" on $number /usr/lib/lockstep/libexec/health ready
  saw ready$number yes
done
code=0
on 1 sh -c "$asked" >"$outside/status" 2>&1 || code=$?
saw asked "$code $(awk '$1 == "n1" { print $3, $4 }' "$outside/status")"

root=$(root_of m1)
unit=/usr/lib/systemd/system/lockstep.service
saw status "$(on 1 dpkg-query --show --showformat '${Status}' lockstep)"
saw enabled "$(on 1 systemctl is-enabled lockstep.service || true)"
saw user "$(on 1 getent passwd lockstep)"
saw state "$(on 1 stat -c '%U:%G %a' /var/lib/lockstep)"
# All but the configuration is as it was packed.
saw changed "$(on 1 dpkg --verify lockstep | tr -s ' ' || true)"
verified=$(on 1 systemd-analyze verify "$unit" 2>&1) || verified="failed: $verified"
saw verify "${verified//$'\n'/; }"
saw exposure "$(on 1 systemd-analyze security --offline=true "$unit" 2>/dev/null \
  | sed -n 's/.*Overall exposure level for lockstep.service: \([0-9.]*\) .*/\1/p')"
[[ -n $base ]] || saw page "$(on 1 man --where lockstep-status)"
saw identity "$(identity_of "$(cat "$root/run/lockstep.pid")" "$root")"

# As an upgrade does: what runs, and what was configured, stays.
on 3 sh -euc 'dpkg --install --no-triggers --force-unsafe-io /root/lockstep_*_all.deb' >/dev/null 2>&1
on 3 /usr/lib/lockstep/libexec/health ready
kill -0 "$(cat "$(root_of m3)/run/lockstep.pid")"
saw upgraded "$(on 3 sed -n '/^cluster/p; /^node/p' /etc/lockstep/node.yaml | tr '\n' ' ')"

on 1 systemctl stop lockstep
saw ended "$(cat "$root/run/lockstep.exit")"
await "$patience" "$(root_of m2)/run/journal" on 2 sh -c "$asked"
saw without quorum
left() {
  on 1 sh -c 'ls -d /usr/bin/lockstep /etc/lockstep/node.yaml /etc/lockstep/keys /var/lib/lockstep/promise' 2>/dev/null | tr '\n' ' ' || true
}
on 1 dpkg --remove --no-triggers lockstep >/dev/null
saw removed "$(left)"
on 1 dpkg --purge --no-triggers lockstep >/dev/null 2>&1
saw purged "$(left)"
