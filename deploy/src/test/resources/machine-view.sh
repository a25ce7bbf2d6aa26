# A view of this machine that keeps nothing: a layer over its own files, with processes and a network of
# its own. For scripts that install something and run it. Sourced by them, as root, in name spaces of
# their own (unshare --mount --net --pid --fork --kill-child).
# shellcheck shell=bash
export LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# The root directory of the view, and a directory beside it.
readonly root=/mnt/root outside=/mnt/outside

# BASE is a directory with a system in it; without it this machine's own.
make_view() { # [BASE]
  mount --make-rprivate /
  mount -t tmpfs view /mnt
  mkdir /mnt/{upper,temporary,root,outside}
  mount -t overlay view -o "lowerdir=${1:-/},upperdir=/mnt/upper,workdir=/mnt/temporary" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs view "$root/tmp"
  mount -t tmpfs view "$root/run"
  ip link set lo up
  # There is no network, so names are not waited for.
  rm -f "$root/etc/resolv.conf"
  printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' >"$root/etc/resolv.conf"
  [[ ! -d $root/etc/apt/apt.conf.d ]] || printf 'Acquire::Retries "0";\n' >"$root/etc/apt/apt.conf.d/99view"
  # What an earlier installation left on this machine is no part of the view.
  if inside dpkg-query --show lockstep >/dev/null 2>&1; then
    inside dpkg --purge --no-triggers lockstep >/dev/null
  fi
}

inside() { chroot "$root" "$@"; }

# Leaves only these directories and /tmp writable.
write_only() { # DIRECTORY...
  local each
  for each in "$@"; do mount --bind "$root$each" "$root$each"; done
  mount -o remount,bind,ro "$root"
}

# Starts a command of the view as a user without capabilities that cannot get any. The process is $!.
# What the array limiter has, runs the command.
limiter=()
start_contained() { # USER GROUP COMMAND ARGUMENT...
  local user=$1 group=$2
  shift 2
  chroot "$root" setpriv --reuid "$user" --regid "$group" --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all env -i PATH="$PATH" LANG=C.UTF-8 ${limiter[@]+"${limiter[@]}"} "$@" \
    </dev/null >"$outside/journal" 2>&1 &
}

# Waits until a command succeeds; ends where the process ends or it takes too long.
await() { # PROCESS SECONDS COMMAND ARGUMENT...
  local process=$1 patience=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ! kill -0 "$process" 2>/dev/null || ((SECONDS > patience)); then
      printf '%s does not succeed; the process said:\n' "$*" >&2
      cat "$outside/journal" >&2
      exit 1
    fi
    sleep 0.1
  done
}

# Real, effective, saved and file system's user; effective and bounding capabilities; no new privileges.
identity_of() { # PROCESS
  awk '/^(Uid|CapEff|CapBnd|NoNewPrivs):/ { $1 = ""; printf "%s", $0 }' "$root/proc/$1/status"
}

# Ends a process in order and says with which exit code it ended.
saw_end_of() { # PROCESS
  local code=0
  kill -TERM "$1"
  wait "$1" || code=$?
  saw ended "$code"
}

saw() { # KEY WORD...
  printf '%s=%s\n' "$1" "${*:2}"
}
