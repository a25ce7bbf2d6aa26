#!/bin/bash
# In place of systemctl where no systemd runs: starts and stops the service lockstep as its unit says, and
# leaves everything else to the real one.
#
# Of the unit it follows User=, Group=, ExecStart=, LimitNOFILE=, StateDirectory=, LogsDirectory=,
# ProtectSystem=strict, PrivateTmp=, NoNewPrivileges=, CapabilityBoundingSet=, SystemCallFilter= and
# RestrictAddressFamilies=. Name spaces other than that of mounts, device rules and restarts are systemd's.
set -euo pipefail

unit=/usr/lib/systemd/system/lockstep.service
real=/usr/bin/systemctl

value() { # KEY-OF-THE-UNIT
  sed -n "s/^$1=//p" "$unit" | tail -n 1
}

written() {
  printf '/var/lib/%s\n/var/log/%s\n' "$(value StateDirectory)" "$(value LogsDirectory)"
}

# In a name space of mounts of its own; becomes the service.
contained() {
  local each command
  [[ $(value ProtectSystem) == strict && $(value PrivateTmp) == yes ]]
  [[ $(value NoNewPrivileges) == yes && -z $(value CapabilityBoundingSet) ]]
  for each in $(written); do mount --bind "$each" "$each"; done
  mount -o remount,bind,ro /
  mount -o remount,bind,ro /run
  mount -t tmpfs private /tmp
  # A machine may allow fewer, also to root.
  ulimit -n "$(value LimitNOFILE)" 2>/dev/null || ulimit -n "$(ulimit -Hn)"
  read -r -a command <<<"$(value ExecStart)"
  exec setpriv --reuid "$(value User)" --regid "$(value Group)" --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all env -i PATH="$PATH" LANG=C.UTF-8 \
    /usr/bin/python3 /run/with-system-calls-of.py "$unit" "${command[@]}"
}

start() {
  local each
  rm -f /run/lockstep.exit
  for each in $(written); do
    mkdir -p "$each"
    chown "$(value User):$(value Group)" "$each"
  done
  (
    unshare --mount --propagation private bash "$0" contained >>/run/journal 2>&1 &
    printf '%s\n' $! >/run/lockstep.pid
    code=0
    wait $! || code=$?
    printf '%s\n' "$code" >/run/lockstep.exit
  ) </dev/null >/dev/null 2>&1 &
}

stop() {
  local process
  process=$(cat /run/lockstep.pid)
  kill -TERM "$process"
  while [[ ! -f /run/lockstep.exit ]]; do sleep 0.1; done
}

case $* in
  contained) contained ;;
  "enable --now lockstep")
    "$real" --quiet enable lockstep
    start
    ;;
  "start lockstep") start ;;
  "stop lockstep") stop ;;
  "restart lockstep")
    stop
    start
    ;;
  *) exec "$real" "$@" ;;
esac
