"""Shows a page in Chromium at two widths, and prints as JSON what came of it."""

import json
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])

from touchgrid_test.browser import Chromium  # noqa: E402

chromium = Chromium("--hide-scrollbars")
shown = []
try:
    for domain in ("Page", "Log", "Network"):
        chromium.call(f"{domain}.enable")
    for width, scheme in ((1280, "light"), (390, "dark")):
        chromium.said.clear()
        chromium.sized(width, 900, scheme=scheme)
        chromium.load(sys.argv[1])
        shown.append({
            "width": width, "scrollWidth": chromium.run("document.documentElement.scrollWidth"),
            "background": chromium.run("getComputedStyle(document.body).backgroundColor"),
            "hacked": chromium.run("typeof hacked"),
            "complaints": [message for message in chromium.said if message["method"] in (
                "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")],
            "requests": [message["params"]["request"]["url"] for message in chromium.said
                         if message["method"] == "Network.requestWillBeSent"]})
finally:
    chromium.close()
print(json.dumps(shown))
