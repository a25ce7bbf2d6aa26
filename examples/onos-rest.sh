#!/bin/sh
# Requests to ONOS's REST API as its documentation shows them, to a node of Lockstep; see
# docs/ONOS_REST.md. Ends with 1 at the first answer that is not as expected.
#
# Usage: examples/onos-rest.sh [URL [DEVICE]]
#   URL     of the node, http://127.0.0.1:8181 unless it is given
#   DEVICE  a connected switch, of:0000000000000001 unless it is given
# ONOS_USER=NAME:PASSWORD is sent as Basic authentication.
set -eu

url=${1:-http://127.0.0.1:8181}
device=${2:-of:0000000000000001}
answer=$(mktemp -d)
trap 'rm -r "$answer"' EXIT

# Sends one request; the answer's body is in $answer/body, its headers are in $answer/head.
request() { # STATUS METHOD PATH [BODY]
  wanted=$1 method=$2 path=$3 body=${4-}
  set -- --silent --show-error --max-time 30 --request "$method" \
    --output "$answer/body" --dump-header "$answer/head" --write-out '%{http_code}' \
    --header 'Accept: application/json'
  [ -z "${ONOS_USER-}" ] || set -- "$@" --user "$ONOS_USER"
  [ -z "$body" ] || set -- "$@" --header 'Content-Type: application/json' --data "$body"
  : >"$answer/body"
  status=$(curl "$@" "$url/onos/v1$path")
  printf '%s %s %s\n' "$status" "$method" "$path"
  if [ "$status" != "$wanted" ]; then
    printf 'expected %s, got: ' "$wanted" >&2
    cat "$answer/body" >&2
    exit 1
  fi
}

# Asks again until the answer has some text; a switch needs a moment.
until_shown() { # TEXT PATH
  text=$1 shown=$2
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    request 200 GET "$shown"
    ! grep -q -e "$text" "$answer/body" || return 0
    sleep 0.5
  done
  printf '%s never showed %s\n' "$shown" "$text" >&2
  exit 1
}

flow() { # PRIORITY PORT
  printf '%s' '{
    "priority": '"$1"', "timeout": 0, "isPermanent": true, "deviceId": "'"$device"'",
    "treatment": {"instructions": [{"type": "OUTPUT", "port": "'"$2"'"}]},
    "selector": {"criteria": [
      {"type": "ETH_TYPE", "ethType": "0x800"}, {"type": "IPV4_DST", "ip": "10.1.1.0/24"}]}
  }'
}

# The network.
for path in /devices "/devices/$device" "/devices/$device/ports" /devices/ports /links \
  "/links?device=$device&direction=EGRESS" /hosts /topology /topology/clusters \
  /topology/clusters/0/devices /topology/clusters/0/links "/topology/broadcast/$device:1" \
  "/topology/infrastructure/$device:1" /cluster "/mastership/$device/local" \
  "/mastership/$device/master" "/mastership/$device/role" /applications \
  /statistics/ports "/statistics/ports/$device" "/statistics/delta/ports/$device" \
  /statistics/flows/tables "/statistics/flows/tables/$device"; do
  request 200 GET "$path"
done

# One flow.
request 201 POST "/flows/$device?appId=org.onosproject.rest" "$(flow 40000 CONTROLLER)"
location=$(sed -n 's/^[Ll]ocation: *\([^[:space:]]*\).*/\1/p' "$answer/head")
id=${location##*/}
until_shown '"state":"ADDED"' "/flows/$device/$id"
request 200 GET "/flows/$device"
request 200 GET /flows/application/org.onosproject.rest

# Two flows at once.
request 200 POST '/flows?appId=org.onosproject.rest' \
  "{\"flows\": [$(flow 40001 NORMAL), $(flow 40002 1)]}"
request 200 GET /flows

# What is wrong is named.
request 400 POST "/flows/$device" '{"priority": "high", "isPermanent": true}'
grep -q -e 'priority: ' "$answer/body"

# The end.
request 204 DELETE "/flows/$device/$id"
request 204 DELETE /flows/application/org.onosproject.rest
printf 'all answers were as expected\n'
