# Machines with Open vSwitch in user space, and hosts behind them. Sourced by three-machines.sh, which has
# make_machine and on. They are views of the machine that tests, not of the system that the servers have.
# shellcheck shell=bash

make_switch() { # NUMBER
  local run=/run/openvswitch
  make_machine "$1"
  ip netns exec "m$1" sysctl -q -w net.ipv6.conf.default.disable_ipv6=1
  on "$1" mkdir -p "$run" /etc/openvswitch
  on "$1" ovsdb-tool create "$run/conf.db" /usr/share/openvswitch/vswitch.ovsschema
  on "$1" ovsdb-server "$run/conf.db" --remote="punix:$run/db.sock" --pidfile --detach --no-chdir \
    -vconsole:off --log-file="$run/ovsdb-server.log"
  on "$1" ovs-vsctl --no-wait init
  on "$1" ovs-vswitchd --pidfile --detach --no-chdir -vconsole:off --log-file="$run/ovs-vswitchd.log"
  # All else is the guide's. The kernel of the machine that tests need not have a module for switches.
  on "$1" ovs-vsctl add-br br0 -- set bridge br0 datapath_type=netdev
}

# Makes an interface of a switch's machine a port of its bridge.
plug() { # SWITCH INTERFACE PORT
  ip -netns "m$1" link set "$2" up
  on "$1" ovs-vsctl add-port br0 "$2" -- set interface "$2" ofport_request="$3"
}

join_switches() { # SWITCH PORT SWITCH PORT
  ip link add cable netns "m$1" type veth peer name cable netns "m$3"
  plug "$1" cable "$2"
  plug "$3" cable "$4"
}

make_host() { # NAME SWITCH PORT ADDRESS MAC
  ip netns add "$1"
  ip link add "$1" netns "m$2" type veth peer name eth0 netns "$1"
  ip netns exec "$1" sysctl -q -w net.ipv6.conf.all.disable_ipv6=1
  ip -netns "$1" link set eth0 address "$5"
  ip -netns "$1" address add "$4/24" dev eth0
  ip -netns "$1" link set lo up
  ip -netns "$1" link set eth0 up
  # A switch in user space fills in no checksums.
  ip netns exec "$1" ethtool -K eth0 tx off >/dev/null
  plug "$2" "$1" "$3"
}

host_runs() { # NAME COMMAND ARGUMENT...
  ip netns exec "$1" "${@:2}"
}

# The flow entries of rules, one a line, without counters and cookies: what a packet meets.
entries() { # SWITCH
  on "$1" ovs-ofctl -O OpenFlow13 --no-stats --no-names dump-flows br0 | sed -n 's/^ *cookie=[^,]*, //p' | sort
}
