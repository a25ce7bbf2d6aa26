#!/usr/bin/python3
"""Adds static flows through the node of this machine, one after the other, and never gives one up.

Usage: steady-writes.py NAME WRITTEN ENOUGH

Writes the id of each acknowledged flow into the file WRITTEN. Ends when the file ENOUGH is there, and prints
how many requests had no answer or a refusal before they were acknowledged. Fails where one is refused for a
reason that no later attempt can change.
"""
import http.client
import json
import os
import sys
import time

name, written, enough = sys.argv[1:]
again = 0
with open(written, "w", encoding="utf-8") as acknowledged:
    number = 0
    while not os.path.exists(enough):
        flow = f"{name}-{number}"
        body = json.dumps(
            {
                "switch": "1",
                "priority": 100,
                "match": ["eth_type=0x800", f"ipv4_dst=10.9.{number // 256}.{number % 256}", f"in_port={ord(name[1])}"],
                "actions": ["drop"],
            }
        )
        try:
            connection = http.client.HTTPConnection("127.0.0.1", 8181, timeout=5)
            connection.request(
                "PUT",
                "/api/v1/flows/" + flow,
                body,
                {"Content-Type": "application/json", "If-None-Match": "*"},
            )
            answer = connection.getresponse()
            answer.read()
            connection.close()
            # 412: an attempt before had no answer, and was carried out.
            done = answer.status in (200, 201, 202) or (answer.status == 412 and again > 0)
            if not done and answer.status < 500:
                sys.exit(f"{flow}: HTTP status {answer.status}")
        except (OSError, http.client.HTTPException):
            done = False
        if done:
            print(flow, file=acknowledged, flush=True)
            number += 1
        else:
            again += 1
        time.sleep(0.05)
print(f"{number} acknowledged, {again} tried again")
