#!/usr/bin/python3
"""Sends numbered packets to a host that sends each one back, and counts those that are lost on the way.

Usage: numbered-packets.py echo
       numbered-packets.py send ADDRESS ENOUGH

The host that sends them back prints "ready" when it can. The other one sends 50 packets a second until the
file ENOUGH is there, and waits for the last ones. It prints how many it sent and lost, and of lost ones where
each gap began, in seconds after the first packet.
"""
import os
import select
import socket
import sys
import time

PORT = 7007
INTERVAL_SECONDS = 0.02
# For the last ones, on a machine that is busy with other things.
PATIENCE_SECONDS = 10


def opened():
    sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sending.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    return sending


def echo():
    with opened() as back:
        back.bind(("", PORT))
        print("ready", flush=True)
        while True:
            packet, sender = back.recvfrom(64)
            back.sendto(packet, sender)


def receive(sending, until, back):
    while (left := until - time.monotonic()) > 0:
        if select.select([sending], [], [], left)[0]:
            back.add(int(sending.recv(64)))


def gaps(sent, back):
    """Each gap as its first number and its length."""
    found = []
    for number in range(sent):
        if number not in back:
            if found and number == sum(found[-1]):
                found[-1][1] += 1
            else:
                found.append([number, 1])
    return found


def send(address, enough):
    back = set()
    sent = 0
    with opened() as sending:
        sending.connect((address, PORT))
        started = time.monotonic()
        while not os.path.exists(enough):
            sending.send(str(sent).encode())
            sent += 1
            receive(sending, started + sent * INTERVAL_SECONDS, back)
        last = time.monotonic() + PATIENCE_SECONDS
        while len(back) < sent and time.monotonic() < last:
            receive(sending, time.monotonic() + INTERVAL_SECONDS, back)
    lost = "".join(
        f", {length} after {first * INTERVAL_SECONDS:.1f} s" for first, length in gaps(sent, back)
    )
    print(f"{sent} sent, {sent - len(back)} lost{lost}")


if sys.argv[1] == "echo":
    echo()
else:
    send(*sys.argv[2:])
