#!/bin/bash
# Does what a Dockerfile says without a container engine, and runs the result: for the instructions that
# ours uses, and no others.
#
# Usage, as root: unshare --mount --net --pid --fork --kill-child
#   bash container-image.sh DOCKERFILE CONTEXT SECONDS [BASE]
#
# BASE is a directory with the system that FROM names. Without it this machine's own files stand for the
# base image where this machine has the release that FROM names; what RUN installs is then partly there.
# The result runs as compose.yaml has it: no capabilities, read-only but for its volume and /tmp. Prints
# what it saw as lines KEY=VALUE.
set -euo pipefail
# shellcheck source=machine-view.sh
. "$(dirname "$0")/machine-view.sh"
dockerfile=$1 context=$2 patience=$3 base=${4-}

# The words of an exec form: ["a", "b"]; ours have no blanks in them.
words() { # JSON
  [[ $1 == \[*\] ]] || {
    printf 'not the exec form: %s\n' "$1" >&2
    exit 1
  }
  tr -d '[]"' <<<"$1" | tr ',' ' '
}

root=$(root_of image)
inside() { chroot "$root" "$@"; }
ip link set lo up

entry="" arguments="" healthy="" user="" volume="" ports=""
instruction() { # NAME REST
  local file
  case $1 in
    FROM)
      [[ -n $base ]] || grep -q "^VERSION_CODENAME=$(sed 's/.*:\([a-z]*\).*/\1/' <<<"$2")$" /etc/os-release || {
        printf 'this machine is not the system of FROM %s\n' "$2" >&2
        exit 3
      }
      make_view image ${base:+"$base"}
      ;;
    RUN) inside /bin/sh -c "$2" >"$outside/run" 2>&1 || {
      cat "$outside/run" >&2
      exit 1
    } ;;
    COPY)
      # shellcheck disable=SC2086 # a pattern
      (cd "$context" && cp ${2% *} "$root${2##* }")
      ;;
    USER) user=$2 ;;
    VOLUME) volume=$2 ;;
    EXPOSE) ports=$2 ;;
    HEALTHCHECK) healthy=$(words "${2##*CMD }") ;;
    ENTRYPOINT) entry=$(words "$2") ;;
    CMD) arguments=$(words "$2") ;;
    *)
      printf 'unknown instruction: %s\n' "$1" >&2
      exit 1
      ;;
  esac
}

# Comments go also where they stand within an instruction; a backslash joins lines.
while read -r -d $'\x01' name rest; do
  instruction "$name" "$rest"
done < <(grep -v '^ *#' "$dockerfile" | awk '
  /\\$/ { sub(/\\$/, ""); line = line $0; next }
  { line = line $0; gsub(/ +/, " ", line); if (line != "") printf "%s\001", line; line = "" }')

saw ports "$ports"
saw user "$(inside getent passwd "${user%:*}")"
saw volume "$(inside stat -c '%U:%G %a' "$volume")"
saw left "$(inside sh -c 'ls -A /var/lib/apt/lists' | tr '\n' ' ')"
# As compose.yaml has it: only the volume and /tmp can be written.
mount --bind "$root$volume" "$root$volume"
mount -o remount,bind,ro "$root"
read -r -a command <<<"$entry $arguments"
read -r -a probe <<<"$healthy"
chroot "$root" setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups --no-new-privs \
  --bounding-set=-all --inh-caps=-all env -i PATH="$PATH" LANG=C.UTF-8 "${command[@]}" \
  </dev/null >"$outside/journal" 2>&1 &
node=$!
await "$patience" "$outside/journal" inside "${probe[@]}"
saw live yes
await "$patience" "$outside/journal" inside "${probe[0]}" ready
saw ready yes
saw identity "$(identity_of "$node" "$root")"
code=0
kill -TERM "$node"
wait "$node" || code=$?
saw ended "$code"
saw dead "$(inside "${probe[@]}" 2>&1 || true)"
