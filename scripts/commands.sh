# The commands that an operator has, and how they run: the same in a checkout and in a package.
# Sourced by ../lockstep, and by bin/lockstep of a package. Plain POSIX sh, since a machine that only
# runs Lockstep may have no bash. The script that sources this sets
#   program   its name in messages, such as ./lockstep
#   commands  all its commands, separated by blanks
#   dist      the directory of the product's jars
# shellcheck shell=sh
# shellcheck disable=SC2154 # the script that sources this sets them

readonly EXIT_FAILED=1 EXIT_USAGE=2 EXIT_MISSING=3
# Commands that ask running nodes; those behind resource are resources of applications.
readonly ASKING_COMMANDS="status nodes switches links hosts flows path apps doctor top config events log devices domain masters drain undrain rebalance switch explain app resource vip pool member audit user upgrade record"
readonly OPERATOR_COMMANDS="demo emulate node replica $ASKING_COMMANDS store pki completion version help"
readonly JAVA_NEEDED=17

say() { printf 'lockstep: %s\n' "$*" >&2; }

die() { # EXIT-CODE WORD...
  exit_code=$1
  shift
  say "$@"
  exit "$exit_code"
}

asks_nodes() { # COMMAND
  case " $ASKING_COMMANDS " in
    *" $1 "*) return 0 ;;
  esac
  return 1
}

on_terminal() {
  [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]
}

# ---- Java ---------------------------------------------------------------------------------------

# Prints the version of a java, such as 17.0.15; nothing where the java does not run. A file of the
# JDK has it, too: to start Java only for that takes longer than most commands.
java_version() ( # JAVA-BINARY
  binary=$(readlink -f "$1" 2>/dev/null) || binary=$1
  release=${binary%/bin/java}/release
  if [ -x "$binary" ] && [ -r "$release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\([0-9][^"]*\)".*/\1/p' "$release")
    if [ -n "$version" ]; then
      printf '%s\n' "$version"
      exit 0
    fi
  fi
  answer=$("$1" -version 2>&1) || exit 0
  case $answer in
    *' version "'*)
      answer=${answer#*' version "'}
      printf '%s\n' "${answer%%'"'*}"
      ;;
  esac
)

java_major() ( # JAVA-BINARY -> 17
  version=$(java_version "$1")
  printf '%s\n' "${version%%[!0-9]*}"
)

# Prints what keeps a java from running Lockstep; nothing where it fits.
unfit_java() ( # JAVA-BINARY
  if [ ! -x "$1" ] || [ -d "$1" ]; then
    printf 'there is no program %s\n' "$1"
    exit 0
  fi
  version=$(java_version "$1")
  major=${version%%[!0-9]*}
  if [ -z "$major" ]; then
    printf "%s does not run: see what '%s -version' prints\n" "$1" "$1"
  elif [ "$major" -lt "$JAVA_NEEDED" ]; then
    printf '%s has version %s\n' "$1" "$version"
  fi
)

# Prints the java that the environment names and that fits: LOCKSTEP_JAVA, JAVA_HOME, PATH.
java_of_environment() (
  for java in "${LOCKSTEP_JAVA:-}" "${JAVA_HOME:+$JAVA_HOME/bin/java}" "$(command -v java || true)"; do
    if [ -n "$java" ] && [ -z "$(unfit_java "$java")" ]; then
      printf '%s\n' "$java"
      exit 0
    fi
  done
  exit 1
)

# Says why no java of the environment fits, and what to do, and ends.
die_without_java() {
  say "needs Java $JAVA_NEEDED or newer, and found none:"
  [ -z "${LOCKSTEP_JAVA:-}" ] || say "  LOCKSTEP_JAVA: $(unfit_java "$LOCKSTEP_JAVA")"
  if [ -n "${JAVA_HOME:-}" ]; then
    say "  JAVA_HOME: $(unfit_java "$JAVA_HOME/bin/java")"
  else
    say "  JAVA_HOME: not set"
  fi
  if java=$(command -v java); then
    say "  PATH: $(unfit_java "$java")"
  else
    say "  PATH: has no java"
  fi
  say "remedy: install a JRE $JAVA_NEEDED or newer (openjdk-$JAVA_NEEDED-jre-headless on Debian and" \
    "Ubuntu, java-$JAVA_NEEDED-openjdk-headless on Fedora and RHEL), or set JAVA_HOME to the home of one"
  exit $EXIT_MISSING
}

# ---- running a command --------------------------------------------------------------------------

# Prints the virtual machine's flags for a command.
flags_of() { # COMMAND
  case $1 in
    node | replica)
      printf '%s\n' "${LOCKSTEP_JVM_FLAGS:--Xms256m -Xmx256m -XX:NewSize=64m -XX:MetaspaceSize=64m -XX:+UseSerialGC}"
      ;;
    demo) printf '%s\n' "-Xms32m -Xmx512m -XX:+UseSerialGC" ;;
    # A thousand switches with four hosts each at three controllers: 21 MB of heap for them, the
    # rest for what is on its way; buffers of connections are outside of the heap.
    emulate) printf '%s\n' "-Xms32m -Xmx192m -XX:+UseSerialGC -XX:MaxDirectMemorySize=128m" ;;
    store) printf '%s\n' "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1" ;;
    # These ask running nodes: they start fast and end soon.
    *) printf '%s\n' "-Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto" ;;
  esac
}

# Replaces this process by a command of the product.
run_product() { # JAVA CLASS-ARCHIVE-OR-NOTHING COMMAND ARGUMENT...
  java=$1 archive=$2 ran=$3
  shift 3
  case $dist in
    *:*) die $EXIT_MISSING "Java finds no jars in a directory with a colon in its path: move $dist" ;;
  esac
  case $ran in
    version) set -- --version ;;
    *) set -- "$ran" "$@" ;;
  esac
  set -- -cp "$dist/*" io.lockstep.deploy.Main "$@"
  case $ran in
    demo | emulate | top)
      terminal=false
      if on_terminal; then terminal=true; fi
      set -- "-Dlockstep.terminal=$terminal" "$@"
      ;;
  esac
  if [ -n "$archive" ] && [ -f "$archive" ]; then
    # The JVM ignores an archive that does not fit, and says nothing.
    set -- "-XX:SharedArchiveFile=$archive" "-Dlockstep.archive=$archive" \
      -Xlog:disable -Xlog:all=error:stderr -Xlog:cds=off -Xlog:cds+dynamic=off "$@"
  fi
  set -f
  # shellcheck disable=SC2046 # a list of flags
  exec "$java" $(flags_of "$ran") "$@"
}

# ---- help ---------------------------------------------------------------------------------------

describe_commands() {
  cat <<TEXT
  demo      three nodes, an emulated network, and the loss of a node, live
  emulate   an emulated network of up to 1000 switches before running controllers
  node      run one controller node from a configuration file
  replica   run one replica of the store as a process of its own
  status    show nodes, replicas, masters, switches, links and hosts
  nodes     list the nodes of the cluster; as the next three: any one node answers for all
            replace ID --host HOST: puts another machine behind an id, while the others run
  switches  list the switches: [--domain NAME] [--switch DPID] [--without-master]
  links     list the links between switches: [--domain NAME] [--switch DPID]
  hosts     list the hosts: [--domain NAME] [--switch DPID]
  flows     list the flow rules: [--switch DPID] [--app NAME]
            add ID | remove ID: static flows, which the cluster keeps at a switch
  path      find SRC DST | install NAME SRC DST | list | remove NAME: paths of flows
  doctor    look for what is wrong in the cluster, and say what to do
  top       what each node does and takes
  config    check FILE: all values of a node's file in effect, with their origin
  events    follow what happens to switches, links, hosts, masters and flow rules
  log       level [LOGGER [LEVEL]]: what nodes log, while they run
  devices   [MAC | IP | SWITCH | SWITCH/PORT]: where hosts are
  domain    show: the domains and their version, as a file
            set FILE | set SWITCH DOMAIN | add | remove: changes them while the nodes run
  masters   show the domains' masters; move DOMAIN NODE: another master
  drain     NODE: other nodes master what it does, also after a restart
  undrain   NODE: it may master domains again
  rebalance each domain back to its preferred master
  switch    tables [DPID]: how full the flow tables of switches are, and what found no room
            probe DPID: what the flow tables of a switch hold, found out by filling them
  explain   flow ID: in which table a rule is, why, and what would move it
  apps      list the applications of a node
  app       the applications of a node with their nouns; APPLICATION NOUN [ARGUMENT...]: what one of them shows
  resource  what applications let operators change: [RESOURCE [list | show | add | set | remove]]
  vip       virtual IPs of the load balancer: list | show ID | add | set | remove ID FIELD=VALUE...
  pool      how they share connections out, and how members are probed: the same
  member    the servers of pools; 'set ID mode=drain' lets one end what it has: the same
  audit     the last changes that people and programs made, and who made them
  user      add | renew | role | remove | list: who may operate the cluster, and their tokens
  upgrade   status | activate: which versions of the cluster the nodes know, and a new one in force
  record    start | stop | status: what nodes ask the store, for each event, into files
            show FILE: what a file has
  store     check, back up and restore what a replica keeps on disk
  completion  bash | zsh: print a script with which the shell completes commands and options
  pki       init | issue | renew | revoke | show: keys of nodes, switches and people
  version   print the version
  help      print this text; '$program help COMMAND' shows a command's options
TEXT
}

# What the environment and the exit codes mean; the meaning of code 3 is the caller's.
describe_environment() { # MEANING-OF-3
  cat <<TEXT
LOCKSTEP_JVM_FLAGS replaces the virtual machine's flags of node and replica (-Xms256m -Xmx256m
-XX:NewSize=64m -XX:MetaspaceSize=64m -XX:+UseSerialGC).

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 $1,
4 no quorum (status), 5 others changed it meanwhile, 10 and 11 start the node anew,
12 it needs a person; the last line on standard error says why.
TEXT
}

# ---- did you mean -------------------------------------------------------------------------------

nearest_command() { # WORD
  printf '%s\n' "$commands" | tr ' ' '\n' | awk -v word="$1" '
    function min(a, b) { return a < b ? a : b }
    function distance(a, b,   i, j, row, diagonal, above, cost) {
      for (j = 0; j <= length(b); j++) row[j] = j
      for (i = 1; i <= length(a); i++) {
        diagonal = row[0]; row[0] = i
        for (j = 1; j <= length(b); j++) {
          above = row[j]
          cost = substr(a, i, 1) == substr(b, j, 1) ? 0 : 1
          row[j] = min(diagonal + cost, min(above, row[j - 1]) + 1)
          diagonal = above
        }
      }
      return row[length(b)]
    }
    { d = distance(tolower(word), $1); if (d <= 2 && d < length($1) && (best == "" || d < bestd)) { best = $1; bestd = d } }
    END { print best }'
}

die_of_unknown() { # COMMAND
  say "unknown command '$1'"
  case $1 in
    rules | tables)
      say "'$program flows' lists rules, '$program switch tables' shows flow tables," \
        "'$program explain flow ID' one rule"
      ;;
    replicas | cluster | health)
      say "'$program status' shows these, '$program doctor' what is wrong with them"
      ;;
  esac
  near=$(nearest_command "$1")
  [ -z "$near" ] || say "did you mean '$near'?"
  die $EXIT_USAGE "'$program help' lists the commands"
}
