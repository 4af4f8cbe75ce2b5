"""The actions of fingers as a recording of one panel or several, and the places of the fingers on a
picture.

Places are fractions of the panel's width and height, before any rotation: 0, 0 is its top left
corner, and 1, 1 the opposite one.
"""

SYN_REPORT, TRACKING_ID, SLOT, X, Y = (0, 0), 0x39, 0x2F, 0x35, 0x36
MAXIMUM = 4095
SLOTS = 10


class Fingers:
    """The actions of fingers. `text` returns them in the format of `libinput record`, which
    supports several devices. `raw` has the last raw position of each finger by panel and slot."""

    def __init__(self, *panels):
        self.panels = {panel: [] for panel in panels}
        self.now = 0
        self.next_id = 0
        self.screens = []
        self.raw = {}
        # The daemon begins with the first event, so this one makes it wait for the first finger.
        self.rests()

    def rests(self, seconds=0):
        """Makes the recording last, and so the panels stay attached, for `seconds` more."""
        self.wait(seconds)
        for panel in self.panels:
            self._frame(panel, [])
        return self

    def wait(self, seconds):
        self.now += round(seconds * 1_000_000)
        return self

    def shows(self, screen):
        self.screens.append(f"# touchgrid-screen {self.now / 1e6:.6f} {screen}")
        return self

    def _frame(self, panel, events):
        head = f"    - [{self.now // 1_000_000}, {self.now % 1_000_000}, "
        self.panels[panel].append("  - evdev:")
        self.panels[panel] += [f"{head}{kind}, {code}, {value}]" for kind, code, value in events + [(*SYN_REPORT, 0)]]

    @staticmethod
    def _raw(place):
        return [max(0, min(MAXIMUM, int(part * (MAXIMUM + 1)))) for part in place]

    def down(self, panel, places, first=0):
        """Puts fingers down in the slots from `first` on, in one frame."""
        events = []
        for slot, place in enumerate(places, first):
            x, y = self.raw[panel, slot] = self._raw(place)
            events += [(3, SLOT, slot), (3, TRACKING_ID, self.next_id), (3, X, x), (3, Y, y)]
            self.next_id = (self.next_id + 1) % 65536
        self._frame(panel, events)
        return self

    def move(self, panel, places, first=0):
        events = []
        for slot, place in enumerate(places, first):
            x, y = self.raw[panel, slot] = self._raw(place)
            events += [(3, SLOT, slot), (3, X, x), (3, Y, y)]
        self._frame(panel, events)
        return self

    def up(self, panel, count=1, first=0):
        events = []
        for slot in range(first, first + count):
            events += [(3, SLOT, slot), (3, TRACKING_ID, -1)]
        self._frame(panel, events)
        return self

    def tap(self, panel, place, seconds=0.1):
        """Puts a finger down and lifts it after `seconds`."""
        return self.down(panel, [place]).wait(seconds).up(panel)

    def text(self):
        lines = ["version: 1", f"ndevices: {len(self.panels)}", "devices:"]
        for panel, events in self.panels.items():
            lines += ["- node: /dev/input/event0", "  evdev:", f'    name: "{panel}"', "    id: [3, 4617, 1, 0]",
                      "    codes:", "      0: [0]", "      1: [330]", f"      3: [{SLOT}, {X}, {Y}, {TRACKING_ID}]",
                      "    absinfo:", f"      {SLOT}: [0, {SLOTS - 1}, 0, 0, 0]",
                      f"      {X}: [0, {MAXIMUM}, 0, 0, 20]", f"      {Y}: [0, {MAXIMUM}, 0, 0, 20]",
                      f"      {TRACKING_ID}: [0, 65535, 0, 0, 0]", "    properties: [1]", "  events:", *events]
        return "\n".join(self.screens + lines) + "\n"


def on_picture(raw, width, height, rotation):
    """Maps a raw position to a picture of what the person sees, in pixels. The centre of the top
    left pixel is 0.5, 0.5.

    Width and height are those of the panel. A picture that is turned by 90 degrees has its top
    along the panel's right edge.
    """
    x, y = (value / (MAXIMUM + 1) * size for value, size in zip(raw, (width, height)))
    return {0: (x, y), 90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}[rotation]
