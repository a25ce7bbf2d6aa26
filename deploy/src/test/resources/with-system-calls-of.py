#!/usr/bin/python3
"""Runs a command with the system calls and address families that a unit allows, as systemd would.

Usage: with-system-calls-of.py UNIT COMMAND ARGUMENT...

Follows SystemCallFilter= (an allow list first, then lists with ~ that take away), SystemCallErrorNumber=EPERM
and RestrictAddressFamilies=. The groups are those of this machine's systemd.
"""
import ctypes
import errno
import os
import subprocess
import sys

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
EQUAL = 4


class Comparison(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("operation", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


def values(unit, key):
    with open(unit, encoding="utf-8") as lines:
        return [line.strip()[len(key) + 1 :] for line in lines if line.startswith(key + "=")]


def expanded(names):
    """The system calls of groups, which may have groups in them."""
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        listed = subprocess.run(
            ["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True
        )
        lines = [line.strip() for line in listed.stdout.splitlines()]
        calls |= expanded(line for line in lines if line and line[0] not in "#" and line != name)
    return calls


def allowed_calls(unit):
    allowed = expanded(["@default"])
    for filter_ in values(unit, "SystemCallFilter"):
        if filter_.startswith("~"):
            allowed -= expanded(filter_[1:].split())
        else:
            allowed |= expanded(filter_.split())
    return allowed


def main():
    unit, command = sys.argv[1], sys.argv[2:]
    if values(unit, "SystemCallErrorNumber") != ["EPERM"]:
        sys.exit("the unit has another SystemCallErrorNumber: follow it here")
    families = [getattr(__import__("socket"), name) for name in values(unit, "RestrictAddressFamilies")[0].split()]
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(REFUSE)))

    def allow(call, *comparisons):
        number = library.seccomp_syscall_resolve_name(call.encode())
        array = (Comparison * max(1, len(comparisons)))(*comparisons)
        # Calls that this machine does not know have negative numbers.
        if number >= 0 and library.seccomp_rule_add_array(
            context, ctypes.c_uint32(ALLOW), number, len(comparisons), array
        ):
            sys.exit(f"cannot allow {call}")

    # The groups must be found before the filter is in force.
    for call in sorted(allowed_calls(unit) - {"socket"}):
        allow(call)
    for family in families:
        allow("socket", Comparison(0, EQUAL, family, 0))
    if library.seccomp_load(context):
        sys.exit("cannot load the filter")
    os.execvp(command[0], command)


main()
