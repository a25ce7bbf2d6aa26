#!/bin/bash
# Installs a .deb with dpkg on a view of this machine, runs its service in place of systemd, and removes
# the package again.
#
# Usage, as root: unshare --mount --net --pid --fork --kill-child bash installed-service.sh DEB SECONDS
#
# Of the unit it follows User=, Group=, ExecStart=, LimitNOFILE=, StateDirectory=, LogsDirectory=,
# ProtectSystem=strict, PrivateTmp=, NoNewPrivileges=, CapabilityBoundingSet=, SystemCallFilter= and
# RestrictAddressFamilies=. Prints what it saw as lines KEY=VALUE.
set -euo pipefail
# shellcheck source=machine-view.sh
. "$(dirname "$0")/machine-view.sh"
deb=$1 patience=$2

make_view
cp "$deb" "$root/run/lockstep.deb"
cp "$(dirname "$0")/with-system-calls-of.py" "$root/run/"
inside dpkg --install --no-triggers --force-unsafe-io /run/lockstep.deb >/dev/null
unit=/usr/lib/systemd/system/lockstep.service
saw status "$(inside dpkg-query --show --showformat '${Status}' lockstep)"
saw enabled "$(inside systemctl is-enabled lockstep.service || true)"
saw user "$(inside getent passwd lockstep)"
saw state "$(inside stat -c '%U:%G %a' /var/lib/lockstep)"
saw changed "$(inside dpkg --verify lockstep)"
saw verify "$(inside systemd-analyze verify "$unit" 2>&1 | tr '\n' ' ' || printf failed)"
saw exposure "$(inside systemd-analyze security --offline=true "$unit" 2>/dev/null \
  | sed -n 's/.*Overall exposure level for lockstep.service: \([0-9.]*\) .*/\1/p')"
saw check "$(inside lockstep node --check --config /etc/lockstep/node.yaml 2>&1 | tail -n 1)"
saw page "$(inside man --where lockstep-status)"
saw idle "$(inside /usr/lib/lockstep/libexec/health live 2>&1 || true)"

value() { # KEY-OF-THE-UNIT
  sed -n "s/^$1=//p" "$root$unit" | tail -n 1
}
[[ $(value ProtectSystem) == strict && $(value NoNewPrivileges) == yes ]]
[[ $(value PrivateTmp) == yes && -z $(value CapabilityBoundingSet) ]]
written=("/var/lib/$(value StateDirectory)" "/var/log/$(value LogsDirectory)")
for each in "${written[@]}"; do
  mkdir -p "$root$each"
  inside chown "$(value User):$(value Group)" "$each"
done
write_only "${written[@]}"
# A machine may allow fewer, also to root.
ulimit -n "$(value LimitNOFILE)" 2>/dev/null || ulimit -n "$(ulimit -Hn)"
read -r -a started <<<"$(value ExecStart)"
limiter=(/usr/bin/python3 /run/with-system-calls-of.py "$unit")
start_contained "$(value User)" "$(value Group)" "${started[@]}"
node=$!
await "$node" "$patience" curl --silent --fail --max-time 5 http://127.0.0.1:8181/health/ready
saw ready yes
saw filter "$(sed -n 's/^Seccomp:\s*//p' "$root/proc/$node/status")"
saw identity "$(identity_of "$node")"
saw listens "$(ss -Hltn | awk '{ print $4 }' | sort | tr '\n' ' ')"
code=0
inside lockstep status >"$outside/status" 2>&1 || code=$?
saw quorum "$code"
saw_end_of "$node"

mount -o remount,bind,rw "$root"
for each in "${written[@]}"; do umount "$root$each"; done
inside dpkg --remove --no-triggers lockstep >/dev/null
saw removed "$(inside sh -c 'ls -d /usr/bin/lockstep /etc/lockstep/node.yaml /var/lib/lockstep/promise' 2>/dev/null | tr '\n' ' ')"
inside dpkg --purge --no-triggers lockstep >/dev/null 2>&1
saw purged "$(inside sh -c 'ls -d /etc/lockstep/node.yaml /etc/default/lockstep /var/lib/lockstep' 2>/dev/null | tr '\n' ' ')"
