#!/usr/bin/python3
"""Calls a daemon's GetStatus five times a second until SIGTERM, and prints how long the longest
answer took.

waits.py SOCKET
"""

import json
import signal
import sys
import time

from client import Client

answers, longest, drops = 0, 0, 0
stopped = []
signal.signal(signal.SIGTERM, lambda *_: stopped.append(1))
with Client(sys.argv[1]) as daemon:
    while not stopped:
        begun = time.monotonic()
        status = daemon.call("GetStatus")
        longest = max(longest, time.monotonic() - begun)
        drops = max(drops, status["tally"].get("drops", 0))
        answers += 1
        time.sleep(0.2)
print(json.dumps({"answers": answers, "longest_ms": round(longest * 1000, 1), "drops": drops}))
