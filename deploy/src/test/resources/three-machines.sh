#!/bin/bash
# Follows the guide for operators on three machines and on one that makes their keys: views of this one,
# each with a network of its own, on one wire. So are two switches, with two hosts behind the first and one
# behind the second. Removes the package from one of the machines at the end.
#
# Usage, as root: unshare --mount --net --pid --fork --kill-child
#   bash three-machines.sh DEB NEXT GUIDE SECONDS [BASE]
#
# DEB is a package, and NEXT one of the release after it that knows one more version of the cluster. GUIDE is
# a directory with what stands in the guide: 'install' for all machines, 'keys' for the fourth,
# 'start' for the three, whose last line asks running nodes, and 'node.yaml' of n1. 'switchkeys' is for the
# fourth, and 'switch' for the switch 1. 'look', 'domains', 'flows' and 'backup' are for one of the three;
# 'stop', then 'restore', are for all three. 'replace' is for one of the three, 'newkeys' for the fourth,
# 'controllers' for the switches, and 'member' is the line of the machine that takes the place of the third.
# 'restart' is for each of them in turn, and 'versions' for one after that. The stand-ins for systemctl, scp and the editor are the only tools
# that a machine has not. BASE is a directory with another system. Prints what it saw as lines KEY=VALUE.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=machine-view.sh
. "$here/machine-view.sh"
# shellcheck source=switch-machine.sh
. "$here/switch-machine.sh"
deb=$1 next=$2 guide=$3 patience=$4 base=${5-}

mkdir -p /run/netns
mount -t tmpfs names /run/netns
ip link add wire type bridge
ip link set wire up

on() { # NUMBER COMMAND ARGUMENT...
  ip netns exec "m$1" chroot "$(root_of "m$1")" "${@:2}"
}

make_machine() { # NUMBER [BASE]
  local root
  make_view "m$1" ${2:+"$2"}
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

for number in 1 2 3 4 5; do make_machine $number "$base"; done
for number in 6 7; do make_switch $number; done
# The others as the fourth reaches them: scp [-r] FILE... root@10.0.0.NUMBER:PLACE.
for number in 1 2 3 5 6 7; do
  mkdir -p "$(root_of m4)/run/10.0.0.$number"
  mount --bind "$(root_of m$number)" "$(root_of m4)/run/10.0.0.$number"
done
cat >"$(root_of m4)/usr/local/sbin/scp" <<'SCP'
#!/bin/sh
[ "$1" != -r ] || shift
for to; do :; done
while [ $# -gt 1 ]; do
  cp -r "$1" "/run/$(printf '%s\n' "$to" | sed 's/^root@//; s/://')"
  shift
done
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

# A node says of itself what changed within a second.
ready_rows() { grep -c '^n[123] .* ready '; }
all_ready() { [[ $(on 1 lockstep nodes | ready_rows) == 3 ]]; }
await "$patience" "$(root_of m1)/run/journal" all_ready
follow 1 "$guide/look"
saw look "$(ready_rows <"$outside/m1")"

# What the guide says of switch 1 for another one, too.
for number in 6 7; do
  dpid=$((number - 5))
  sed "s/edge-1/edge-$dpid/g; s/--dpid 1/--dpid $dpid/; s/SWITCH/10.0.0.$number/" "$guide/switchkeys" \
    >"$outside/switchkeys"
  follow 4 "$outside/switchkeys"
  sed "s/=0000000000000001/=000000000000000$dpid/" "$guide/switch" >"$outside/switch"
  follow $number "$outside/switch"
done
switch_log="$(root_of m6)/run/openvswitch/ovs-vswitchd.log"
# Each with a master, and connected to all three nodes.
connected() { [[ $(on 1 lockstep switches | grep -c ' n[123] *n1 n2 n3 ') == 2 ]]; }
await "$patience" "$switch_log" connected
saw switches "$(on 6 ovs-vsctl get-fail-mode br0) $(on 6 ovs-vsctl get-controller br0 | tr '\n' ' ')"
join_switches 6 2 7 2
linked() { [[ $(on 1 lockstep links | grep -c '^0*[12] .* 2 ') == 2 ]]; }
await "$patience" "$switch_log" linked
make_host h1 6 1 10.1.0.1 02:00:00:00:00:01
make_host h3 6 3 10.1.0.3 02:00:00:00:00:03
make_host h7 7 1 10.1.0.7 02:00:00:00:00:07
for host in h1 h3; do await "$patience" "$switch_log" host_runs $host ping -c 1 -W 1 10.1.0.7; done
domains() { # NUMBER
  on "$1" lockstep domain show | grep -o 'name: [a-z]*' | sed 's/name: //' | sort | tr '\n' ' '
}
follow 1 "$guide/domains"
saw domains "$(domains 1)"
follow 1 "$guide/flows"
saw path "$(grep -o 'dns is installed' "$outside/m1")"
# What h1 sends takes the path's entries; what h3 sends the static flow at its switch, and the learning
# switch's entry at the other one. So do all answers.
learned() { # SWITCH IN FROM TO OUT
  entries "$1" | grep -q "in_port=$2,.*dl_src=$3,dl_dst=$4 actions=output:$5\$"
}
for end in 1 3; do
  mac=02:00:00:00:00:0$end
  await "$patience" "$switch_log" learned 7 1 02:00:00:00:00:07 $mac 2
  await "$patience" "$switch_log" learned 6 2 02:00:00:00:00:07 $mac $end
done
await "$patience" "$switch_log" learned 7 2 02:00:00:00:00:03 02:00:00:00:00:07 1
# The learning switch has more entries, which no packet takes any more: they end.
unused='idle_timeout=.*dl_src=02:00:00:00:00:0'
entries 6 | grep -v "$unused[13]" >"$outside/entries6"
entries 7 | grep -v "${unused}1" >"$outside/entries7"
saw entries "$(cat "$outside"/entries[67] | grep -c 'actions=output\|push_vlan\|pop_vlan')"
# Their ARP requests have no entry: without a node for some seconds they would forget each other.
for end in 1 3; do
  host_runs h$end ip neigh replace 10.1.0.7 lladdr 02:00:00:00:00:07 dev eth0 nud permanent
  host_runs h7 ip neigh replace 10.1.0.$end lladdr 02:00:00:00:00:0$end dev eth0 nud permanent
done
host_runs h7 python3 "$here/numbered-packets.py" echo >"$outside/echo" 2>&1 </dev/null &
await "$patience" "$outside/echo" grep -q '^ready' "$outside/echo"
senders=()
for host in h1 h3; do
  host_runs $host python3 "$here/numbered-packets.py" send 10.1.0.7 "$outside/enough-packets" \
    >"$outside/packets-$host" 2>&1 </dev/null &
  senders+=($!)
done
follow 2 "$guide/backup"
saw backup "$(grep -o 'cluster campus' "$outside/m2")"
# What comes after the backup is lost.
on 1 lockstep domain add late 40 >/dev/null
all_follow "$guide/stop" 1 2 3
for number in 1 3; do
  cp "$(root_of m2)/root/lockstep-backup" "$(root_of m$number)/root/"
done
all_follow "$guide/restore" 1 2 3
for number in 1 2 3; do
  await "$patience" "$(root_of m$number)/run/journal" on $number /usr/lib/lockstep/libexec/health ready
done
saw restored "$(domains 3)"

root=$(root_of m1)
unit=/usr/lib/systemd/system/lockstep.service
saw status "$(on 1 dpkg-query --show --showformat '${Status}' lockstep)"
saw enabled "$(on 1 systemctl is-enabled lockstep.service || true)"
saw user "$(on 1 getent passwd lockstep)"
saw state "$(on 1 stat -c '%U:%G %a' /var/lib/lockstep)"
# All but the configuration is as it was packed.
saw changed "$(on 1 dpkg --verify lockstep | tr -s ' ' || true)"
verified=$(on 1 systemd-analyze verify ${base:+--man=no} "$unit" 2>&1) || verified="failed: $verified"
saw verify "${verified//$'\n'/; }"
saw exposure "$(on 1 systemd-analyze security --offline=true "$unit" 2>/dev/null \
  | sed -n 's/.*Overall exposure level for lockstep.service: \([0-9.]*\) .*/\1/p')"
[[ -n $base ]] || saw page "$(on 1 man --where lockstep-status)"
saw identity "$(identity_of "$(cat "$root/run/lockstep.pid")" "$root")"

# A program on each of two machines that writes through the node there, and tries again until it has an answer.
load() { # NUMBER
  on "$1" python3 /run/steady-writes.py "m$1" /run/written /run/enough >"$outside/load$1" 2>&1 </dev/null &
  loads+=($!)
}
loads=()
for number in 1 2; do
  cp "$here/steady-writes.py" "$(root_of m$number)/run/"
  load $number
done

# An upgrade to the next release: what runs, and what was configured, stays until the restart.
for number in 1 2 3 5; do
  rm "$(root_of m$number)"/root/lockstep_*.deb
  cp "$next" "$(root_of m$number)/root/"
done
all_follow "$guide/install" 1 2 3
all_linked() { [[ $(on 2 lockstep upgrade status | grep -c '^n[123] .* 1-[23] ') == 3 ]]; }
for number in 3 2 1; do
  on $number /usr/lib/lockstep/libexec/health ready
  kill -0 "$(cat "$(root_of m$number)/run/lockstep.pid")"
  await "$patience" "$(root_of m1)/run/journal" all_ready
  await "$patience" "$(root_of m2)/run/journal" all_linked
  # As long as one runs the release before, nothing changes.
  saw activated$number "$(on 2 lockstep upgrade activate)"
  follow $number "$guide/restart"
  await "$patience" "$(root_of m$number)/run/journal" on $number /usr/lib/lockstep/libexec/health ready
done
await "$patience" "$(root_of m1)/run/journal" all_ready
known() { on 1 lockstep upgrade status | grep -q 'Every node knows'; }
await "$patience" "$(root_of m1)/run/journal" known
follow 1 "$guide/versions"
saw activated "$(tail -n 1 "$outside/m1")"
saw releases "$(on 1 lockstep upgrade status | awk '/^n[123] / { print $2, $4 }' | sort -u | tr '\n' ' ')"
saw upgraded "$(on 3 sed -n '/^cluster/p; /^node/p' /etc/lockstep/node.yaml | tr '\n' ' ')"

# The third is lost for good. Another takes its place, and the lost one comes back with its disk.
kill -KILL "$(cat "$(root_of m3)/run/lockstep.pid")"
follow 5 "$guide/install"
follow 1 "$guide/replace"
incarnation=$(sed -n 's/.*incarnation \([0-9]*\)\. Now:/\1/p' "$outside/m1")
saw incarnation "$incarnation"
follow 4 "$guide/newkeys"
for number in 1 2; do on $number chown -R lockstep: /etc/lockstep/keys; done
sed "s/^node: n1.*/node: n3/; /id: n3,/d" "$guide/node.yaml" \
  | sed "/id: n2,/r $guide/member" | sed "s/incarnation: [0-9]*/incarnation: $incarnation/" \
    >"$(root_of m5)/run/node.yaml"
follow 5 "$outside/start"
await "$patience" "$(root_of m5)/run/journal" on 5 /usr/lib/lockstep/libexec/health ready
await "$patience" "$(root_of m5)/run/journal" all_ready
for number in 6 7; do follow $number "$guide/controllers"; done
await "$patience" "$switch_log" connected
saw replaced "$(domains 5)"
# With the whole of its directory, and the certificate that was revoked.
on 3 systemctl start lockstep
refused() { [[ -f $(root_of m3)/run/lockstep.exit ]] || grep -q 'has been replaced\|revoked' "$(root_of m3)/run/journal"; }
await "$patience" "$(root_of m3)/run/journal" refused
saw returned refused
for number in 1 2; do touch "$(root_of m$number)/run/enough"; done
for each in "${loads[@]}"; do
  wait "$each" || {
    cat "$outside"/load* >&2
    exit 1
  }
done
for number in 1 2; do
  saw writes$number "$(tail -n 1 "$outside/load$number")"
done
# Each that was acknowledged is there, as the new machine sees it, and at the switch.
sort "$(root_of m1)/run/written" "$(root_of m2)/run/written" >"$outside/written"
on 5 lockstep flows --app static -o json | grep -o '"m[12]-[0-9]*"' | tr -d '"' | sort -u >"$outside/flows"
saw lost "$(comm -23 "$outside/written" "$outside/flows" | wc -l) of $(wc -l <"$outside/written")"
written_entries() { entries 6 | grep -c 'nw_dst=10\.9\..*actions=drop'; }
all_installed() { (($(written_entries) >= $(wc -l <"$outside/written"))); }
await "$patience" "$switch_log" all_installed
for number in 6 7; do
  # What packets take is there as it was before.
  saw missing$number "$(entries $number | comm -23 "$outside/entries$number" -)"
done
touch "$outside/enough-packets"
for each in "${senders[@]}"; do
  wait "$each" || {
    cat "$outside"/{packets-*,echo} >&2
    exit 1
  }
done
for host in h1 h3; do saw packets-$host "$(cat "$outside/packets-$host")"; done

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
