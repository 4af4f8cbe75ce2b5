#!/usr/bin/python3
"""Calls a daemon's GetStatus five times a second until SIGTERM, and prints how long the longest
answer took.

waits.py SOCKET
"""

import json
import signal
import socket
import sys
import time

CALL = b'{"method":"io.touchgrid.GetStatus"}\0'
answers, longest, drops = 0, 0, 0
stopped = []
signal.signal(signal.SIGTERM, lambda *_: stopped.append(1))
with socket.socket(socket.AF_UNIX) as daemon:
    daemon.connect(sys.argv[1])
    while not stopped:
        begun = time.monotonic()
        daemon.sendall(CALL)
        reply = b""
        while not reply.endswith(b"\0"):
            reply += daemon.recv(65536)
        longest = max(longest, time.monotonic() - begun)
        status = json.loads(reply[:-1])["parameters"]
        drops = max(drops, status["tally"].get("drops", 0))
        answers += 1
        time.sleep(0.2)
print(json.dumps({"answers": answers, "longest_ms": round(longest * 1000, 1), "drops": drops}))
