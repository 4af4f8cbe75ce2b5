#!/usr/bin/python3
"""Calls a method of io.touchgrid with the Python package varlink, and prints each reply as a line
of JSON.

call.py [--more] METHOD [PARAMETERS]    PARAMETERS are JSON; an error is printed too, and the
exit status is 1
"""

import json
import sys

import varlink

arguments = sys.argv[1:]
more = arguments[:1] == ["--more"]
method, *parameters = arguments[more:]
with varlink.Client("unix:/run/touchgrid/io.touchgrid") as client:
    with client.open("io.touchgrid") as interface:
        call = getattr(interface, method)
        try:
            replies = call(**json.loads(*parameters or ["{}"]), _more=more)
            for reply in replies if more else [replies]:
                print(json.dumps(reply), flush=True)
        except varlink.VarlinkError as error:
            print(json.dumps(error.as_dict()))
            sys.exit(1)
