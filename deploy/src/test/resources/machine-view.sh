# Views of this machine that keep nothing: layers over its own files, or over those of another system. For
# scripts that install something and run it. Sourced by them, as root, in name spaces of their own
# (unshare --mount --net --pid --fork --kill-child).
# shellcheck shell=bash
export LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

mount --make-rprivate /
mount -t tmpfs view /mnt
# A directory beside the views.
readonly outside=/mnt/outside
mkdir "$outside"

root_of() { # NAME
  printf '/mnt/%s/root' "$1"
}

# BASE is a directory with a system in it; without it this machine's own.
make_view() { # NAME [BASE]
  local root each
  root=$(root_of "$1")
  mkdir -p "/mnt/$1"/{upper,temporary,root}
  mount -t overlay view -o "lowerdir=${2:-/},upperdir=/mnt/$1/upper,workdir=/mnt/$1/temporary" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  for each in tmp run; do mount -t tmpfs view "$root/$each"; done
  # There is no network to the outside, so names and packages are not waited for.
  rm -f "$root/etc/resolv.conf"
  printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' >"$root/etc/resolv.conf"
  printf 'Acquire::Retries "0";\nAPT::Get::Assume-Yes "true";\n' >"$root/etc/apt/apt.conf.d/99view"
  # All that is installed is on the machine already; apt need not read what else there is.
  find "$root/var/lib/apt/lists" -type f -delete
  # Indexing all man pages of the machine takes seconds.
  rm -f "$root/var/lib/man-db/auto-update"
  # What an earlier installation left on this machine is no part of the view.
  if chroot "$root" dpkg-query --show lockstep >/dev/null 2>&1; then
    chroot "$root" dpkg --purge --no-triggers lockstep >/dev/null
  fi
}

# Waits until a command succeeds; shows a file and ends where that takes too long.
await() { # SECONDS FILE COMMAND ARGUMENT...
  local patience=$1 file=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS > patience)); then
      printf '%s does not succeed within %s s:\n' "$*" "$patience" >&2
      cat "$file" >&2
      exit 1
    fi
    sleep 0.1
  done
}

# Real, effective, saved and file system's user; effective and bounding capabilities; no new privileges;
# the mode of its filter of system calls. Of a process of this script's name space.
identity_of() { # PROCESS ROOT
  awk '/^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):/ { $1 = ""; printf "%s", $0 }' "$2/proc/$1/status"
}

saw() { # KEY WORD...
  printf '%s=%s\n' "$1" "${*:2}"
}
