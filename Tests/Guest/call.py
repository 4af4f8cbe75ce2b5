#!/usr/bin/python3
"""Calls a method of io.touchgrid with the Python package varlink, and prints the reply as JSON.

call.py METHOD [PARAMETERS]    PARAMETERS are JSON; an error is printed too, and the exit status is 1
"""

import json
import sys

import varlink

method, *parameters = sys.argv[1:]
with varlink.Client("unix:/run/touchgrid/io.touchgrid") as client:
    with client.open("io.touchgrid") as interface:
        try:
            print(json.dumps(getattr(interface, method)(**json.loads(*parameters or ["{}"]))))
        except varlink.VarlinkError as error:
            print(json.dumps(error.as_dict()))
            sys.exit(1)
