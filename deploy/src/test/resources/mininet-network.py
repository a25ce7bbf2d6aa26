"""Two hosts at one switch with a remote controller; run by MininetIT, told what to do by lines.

Usage: mininet-network.py PORT. Answers each line "ping FROM TO" with "reached" or "lost", and
ends with its input.
"""

import sys

from mininet.net import Mininet
from mininet.node import OVSSwitch, RemoteController
from mininet.topo import SingleSwitchTopo

# Else Mininet raises limits of the whole machine for good.
Mininet.inited = True


def switch(name, **parameters):
    """A switch in user space, which needs no module of the kernel."""
    return OVSSwitch(name, datapath="user", protocols="OpenFlow13", **parameters)


def controller(name):
    return RemoteController(name, ip="127.0.0.1", port=int(sys.argv[1]))


network = Mininet(
    topo=SingleSwitchTopo(k=2),
    switch=switch,
    controller=controller,
    autoSetMacs=True,
    waitConnected=False,
)
try:
    network.start()
    print("started", flush=True)
    for line in sys.stdin:
        _, source, target = line.split()
        said = network[source].cmd("ping", "-c1", "-W1", network[target].IP())
        print("reached" if ", 0% packet loss" in said else "lost", flush=True)
finally:
    network.stop()
