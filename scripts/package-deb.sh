# The Debian package. Sourced by ../lockstep, used by package.sh. See docs/adr/0038.
#
# A .deb is an ar archive of three members. Writing it here needs what the tar.gz needs, so it is made
# on every system that makes that, and its bytes depend on no version of dpkg.
# shellcheck shell=bash
# shellcheck disable=SC2154 # package.sh sets tar and scratch

# 0.1.0-SNAPSHOT comes before 0.1.0, which Debian writes with a tilde.
deb_version() {
  local version
  version=$(product_version)
  printf '%s\n' "${version//-/\~}"
}

deb_name() {
  printf 'lockstep_%s_all.deb\n' "$(deb_version)"
}

# The time of the content in seconds since 1970.
seconds_of_content() {
  local year month day hour minute second days
  IFS='-T:Z' read -r year month day hour minute second _ <<<"$(time_of_content)"
  year=$((10#$year)) month=$((10#$month))
  # Years from March on, so that the leap day is the last one.
  ((month > 2)) || { year=$((year - 1)) month=$((month + 12)); }
  days=$((365 * year + year / 4 - year / 100 + year / 400 + (153 * (month - 3) + 2) / 5 + 10#$day - 719469))
  printf '%s\n' $((days * 86400 + 10#$hour * 3600 + 10#$minute * 60 + 10#$second))
}

# A changelog has the time as mail does: Fri, 20 Nov 2026 00:00:00 +0000.
mail_time_of_content() {
  local year month day time weekdays=(Thu Fri Sat Sun Mon Tue Wed)
  local months=(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)
  IFS='-T' read -r year month day time <<<"$(time_of_content)"
  printf '%s, %s %s %s %s +0000\n' "${weekdays[$(seconds_of_content) / 86400 % 7]}" "$day" \
    "${months[10#$month - 1]}" "$year" "${time%Z}"
}

# Moves what the archive holds to the places that Debian's policy and the file system's standard name.
lay_out_deb() { # DIRECTORY-OF-THE-ARCHIVE DATA
  local lib="$2/usr/lib/lockstep" doc="$2/usr/share/doc/lockstep"
  mkdir -p "$2"/{etc/lockstep,etc/default,usr/{bin,lib/lockstep,lib/systemd/system}} \
    "$2"/usr/share/{man,bash-completion/completions,zsh/vendor-completions,lintian/overrides} "$doc"
  cp -R "$1"/{bin,lib,libexec} "$lib/"
  ln -s ../lib/lockstep/bin/lockstep "$2/usr/bin/lockstep"
  cp -R "$1/share/man/." "$2/usr/share/man/"
  cp "$1/share/bash-completion/completions/lockstep" "$2/usr/share/bash-completion/completions/"
  cp "$1/share/zsh/site-functions/_lockstep" "$2/usr/share/zsh/vendor-completions/"
  cp -R "$1"/{docs,examples} "$doc/"
  # Documents and messages name them beside the program.
  ln -s ../../share/doc/lockstep/docs "$lib/docs"
  ln -s ../../share/doc/lockstep/examples "$lib/examples"
  cp "$root/deploy/package/debian"/{copyright,README.Debian} "$doc/"
  cp "$root/deploy/package/debian/lintian-overrides" "$2/usr/share/lintian/overrides/lockstep"
  cat >"$doc/changelog" <<TEXT
lockstep ($(deb_version)) unstable; urgency=medium

  * What changed for users is in CHANGELOG.gz.

 -- The Lockstep developers <lockstep@lockstep.invalid>  $(mail_time_of_content)
TEXT
  cp "$root/CHANGELOG.md" "$doc/CHANGELOG"
  gzip -9n "$doc/changelog" "$doc/CHANGELOG" || die $EXIT_FAILED "cannot compress the changelog in $doc"
  cp "$1/examples/systemd/node.yaml" "$2/etc/lockstep/node.yaml"
  cp "$1/examples/systemd/lockstep.default" "$2/etc/default/lockstep"
  sed 's:/opt/lockstep/bin/:/usr/bin/:' "$1/examples/systemd/lockstep.service" \
    >"$2/usr/lib/systemd/system/lockstep.service"
}

# What dpkg reads before it unpacks.
lay_out_control() { # DATA CONTROL
  local kibibytes debian="$root/deploy/package/debian"
  mkdir -p "$2"
  kibibytes=$(find "$1" -type f -exec wc -c {} + | awk '$2 != "total" { sum += int(($1 + 1023) / 1024) } END { print sum }')
  sed -e "s/@VERSION@/$(deb_version)/" -e "s/@KIBIBYTES@/$kibibytes/" "$debian/control" >"$2/control"
  cp "$debian"/{conffiles,postinst,prerm,postrm} "$2/"
  chmod 755 "$2"/{postinst,prerm,postrm}
  (cd "$1" && find usr -type f | LC_ALL=C sort | tr '\n' '\0' | xargs -0 md5sum) >"$2/md5sums" \
    || die $EXIT_FAILED "cannot write $2/md5sums"
}

# One member with its header of 60 characters, see ar(5).
ar_member() { # FILE
  local size
  size=$(wc -c <"$1")
  # The last two characters are the mark that ends a header.
  printf '%-16s%-12d%-6d%-6d%-8s%-10d%s\n' "${1##*/}" "$(seconds_of_content)" 0 0 100644 $((size)) '`' \
    && cat "$1" \
    && { ((size % 2 == 0)) || printf '\n'; }
}

make_deb() { # DIRECTORY-OF-THE-ARCHIVE
  local data="$scratch/data" control="$scratch/control" deb
  deb="$scratch/$(deb_name)"
  lay_out_deb "$1" "$data"
  lay_out_control "$data" "$control"
  printf '2.0\n' >"$scratch/debian-binary"
  pack "$control" . "$scratch/control.tar.gz"
  pack "$data" . "$scratch/data.tar.gz"
  {
    printf '!<arch>\n' \
      && ar_member "$scratch/debian-binary" \
      && ar_member "$scratch/control.tar.gz" \
      && ar_member "$scratch/data.tar.gz"
  } >"$deb" || die $EXIT_FAILED "cannot write $deb"
}
