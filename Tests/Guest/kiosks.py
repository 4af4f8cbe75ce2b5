#!/usr/bin/python3
"""Three kiosks live three days, in a guest that skips idle time: each is a daemon with a store, panels and an export
of its own.

kiosks.py FOLDER RECORDINGS RESULT

FOLDER is made, for what the kiosks need. RECORDINGS has a.evemu, b.evemu and c.evemu, made by
make-kiosk-month.py: their times are those at which they are played. RESULT is a folder, which gets:

- NUMBER-KIOSK/in/...: all objects of a kiosk's folder after each export, in the order of the exports
- a.db, b.db, c.db: the stores in the end; b-backup.db: the backup that was put back; b-replaced.db: the store that it
  replaced
- played.json: the touches of each kiosk

What happens, by the clock of Berlin:

| day 1 | 15:00 | the store of b is backed up, while a session runs |
| | 21:30 | on a a panel sends ghosts; on all, fingers tap and drag, with palms, unplugged panels, places off the panel |
| | 23:59 | fingers on b until after midnight |
| day 2 | 08:30 | b and c export; a misses it |
| | | a is killed in the middle of a touch of its recording |
| | 22:00 | a is killed with a finger on it, which stays there |
| | 22:10 | c forgets a session of day 1 |
| day 3 | 00:10 | fingers on a |
| | 08:30 | all export |
| | 08:35 | the backup of b is put back. The clock says 23:30 of day 2 meanwhile, and b and a are touched |
| | 12:00 | the display of c is turned |
| | 13:00 | a and b export |
| | 22:10 | c forgets day 1; a forgets a session of day 1 |
| day 4 | 00:10 | fingers on a |
| | 09:00 | all export |

A day is exported once the daemon has rolled it up: after the first session of the next day, or by a timer that fires
11 minutes after the daemon's start, and then every 24 hours.

The clock of c is one hour ahead of the others, and its time zone has no name.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

from evdev import AbsInfo, UInput, ecodes as e

BERLIN, EASTERN_EUROPE = "Europe/Berlin", "EET-2EEST,M3.5.0/3,M10.5.0/4"
DAYS = ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"]
WIDTH, HEIGHT, SLOTS = 1024, 768, 10
MAIN, SIDE = "HDMI-A-1", "DSI-1"
SCREENS = ["menu", "catalogue", "größe/😀", "pin"]
# Of one frame of a panel, in seconds.
FRAME = 0.01
PATIENCE = 600

DISPLAYS = """
[store]
checkpoint = "1s"
[[display]]
name = "HDMI-A-1"
width = 1280
height = 800
[[display]]
name = "DSI-1"
width = 1080
height = 1920
scale = 1.5
rotation = 270
"""
MASKS = {
    "a": "",
    "b": '[[mask]]\nscreen = "checkout/pay"\nx = 176\ny = 256\nwidth = 464\nheight = 288\n',
    "c": '[[mask]]\nscreen = "pin"\n'}


def local(day, clock):
    """Seconds since 1970 at a time of day in Berlin."""
    return time.mktime(time.strptime(f"{day} {clock}", "%Y-%m-%d %H:%M"))


class Panel:
    """A virtual touchscreen; `touches` counts the touch-downs on it."""

    def __init__(self, kiosk, name):
        def axis(maximum):
            return AbsInfo(0, 0, maximum, 0, 0, 4)

        self.kiosk, self.fingers = kiosk, {}
        self.device = UInput(
            {
                e.EV_KEY: [e.BTN_TOUCH],
                e.EV_ABS: [
                    (e.ABS_X, axis(WIDTH - 1)), (e.ABS_Y, axis(HEIGHT - 1)),
                    (e.ABS_MT_SLOT, AbsInfo(0, 0, SLOTS - 1, 0, 0, 0)),
                    (e.ABS_MT_TOOL_TYPE, AbsInfo(0, 0, 2, 0, 0, 0)),
                    (e.ABS_MT_TRACKING_ID, AbsInfo(0, 0, 65535, 0, 0, 0)),
                    (e.ABS_MT_POSITION_X, axis(WIDTH - 1)), (e.ABS_MT_POSITION_Y, axis(HEIGHT - 1)),
                ],
            },
            name=f"Kiosk {kiosk.name} {name}", bustype=e.BUS_USB, input_props=[e.INPUT_PROP_DIRECT])
        kiosk.wait_until_read(self.device.device.path)

    def frame(self, changes):
        events = []
        for slot, axes in changes.items():
            events += [(e.EV_ABS, e.ABS_MT_SLOT, slot), *((e.EV_ABS, code, value) for code, value in axes)]
        events += [(e.EV_KEY, e.BTN_TOUCH, int(bool(self.fingers))), (e.EV_SYN, e.SYN_REPORT, 0)]
        os.write(self.device.fd, b"".join(struct.pack("llHHi", 0, 0, *each) for each in events))
        time.sleep(FRAME)

    def down(self, places):
        self.fingers = dict(enumerate(places))
        changes = {}
        for slot, (x, y) in self.fingers.items():
            self.kiosk.touches += 1
            changes[slot] = [(e.ABS_MT_TRACKING_ID, self.kiosk.touches & 0xffff), (e.ABS_MT_TOOL_TYPE, 0),
                             (e.ABS_MT_POSITION_X, x), (e.ABS_MT_POSITION_Y, y)]
        self.frame(changes)

    def move(self, by):
        self.fingers = {slot: (min(x + by, WIDTH - 1), y) for slot, (x, y) in self.fingers.items()}
        self.frame({slot: [(e.ABS_MT_POSITION_X, x)] for slot, (x, _) in self.fingers.items()})

    def up(self):
        slots, self.fingers = list(self.fingers), {}
        self.frame({slot: [(e.ABS_MT_TRACKING_ID, -1)] for slot in slots})

    def tap(self, *places, drag=0):
        self.down(places)
        for _ in range(6):
            self.move(drag)
        self.up()

    def unplug(self):
        # The daemon loses what it has not read yet.
        time.sleep(0.5)
        self.device.close()
        self.kiosk.wait_for("unplugged", lambda: self.kiosk.call("GetStatus")["touchesDown"] == 0)


class Kiosk:
    def __init__(self, folder, name, zone, seed):
        self.name, self.zone, self.random = name, zone, random.Random(seed)
        self.folder = folder / name
        self.store, self.socket = self.folder / "touchgrid.db", self.folder / "socket"
        self.export_folder = folder / f"{name}-export"
        self.touches, self.process = 0, None
        self.folder.mkdir(parents=True)
        (self.folder / "touchgridd.toml").write_text(
            DISPLAYS + MASKS[name] + "".join(
                f'[[device]]\nmatch = "Kiosk {name}{which}"\ndisplay = "{display}"\n'
                for which, display in ((" side", SIDE), ("*", MAIN))) + '[[device]]\nmatch = "*"\nignore = true\n')
        self.export_folder.mkdir()
        # touchgrid works as the owner of the store.
        for path in (self.folder, self.export_folder):
            shutil.chown(path, "nobody")

    # ---- The daemon

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                ["touchgridd", "--config", self.folder / "touchgridd.toml", "--store", self.store,
                 "--socket", self.socket],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, user="nobody", group="nogroup",
                extra_groups=["input"], env=os.environ | {"TZ": self.zone})
        self.wait_for("ready", self.is_ready)

    def is_ready(self):
        try:
            return self.call("GetStatus")
        except OSError:
            return False

    def wait_for(self, what, condition, pause=0.1):
        for _ in range(int(PATIENCE / pause)):
            if self.process.poll() is not None:
                sys.exit(f"the daemon of {self.name} ended: {(self.folder / 'log').read_text()[-2000:]}")
            if condition():
                return
            time.sleep(pause)
        sys.exit(f"{self.name} is not {what}: {(self.folder / 'log').read_text()[-2000:]}")

    def wait_until_read(self, node):
        def is_open():
            for link in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir():
                try:
                    if os.readlink(link) == node:
                        return True
                except OSError:
                    pass
            return False
        self.wait_for(f"reading {node}", is_open)

    def end(self, with_signal=signal.SIGTERM):
        self.process.send_signal(with_signal)
        self.process.wait()

    def call(self, method, **parameters):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(str(self.socket))
            connection.sendall(json.dumps({"method": f"io.touchgrid.{method}", "parameters": parameters}).encode()
                               + b"\0")
            reply = b""
            while not reply.endswith(b"\0"):
                part = connection.recv(1 << 16)
                if not part:
                    raise ConnectionResetError
                reply += part
        reply = json.loads(reply[:-1])
        if "error" in reply:
            sys.exit(f"{self.name}: {method}: {reply}")
        return reply.get("parameters", {})

    def name_screen(self, name):
        self.call("SetScreen", name=name)

    # ---- touchgrid

    def touchgrid(self, *words):
        done = subprocess.run(["touchgrid", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env=os.environ | {"TZ": self.zone})
        if done.returncode:
            sys.exit(f"touchgrid {' '.join(map(str, words))} ended with {done.returncode}: {done.stdout}")
        return done.stdout

    def export(self, result):
        self.touchgrid("export", "--fleet", "--kiosk", f"kiosk-{self.name}", "--store", self.store,
                       "-o", self.export_folder)
        number = len(list(result.glob("[0-9]*")))
        shutil.copytree(self.export_folder / "in", result / f"{number:02}-{self.name}" / "in")

    def forget(self, *words):
        self.touchgrid("forget", "--yes", "--socket", self.socket, *words)

    def forget_first_session(self):
        sessions = json.loads(self.touchgrid("sessions", "--json", "--store", self.store))["sessions"]
        self.forget("--session", min(session["id"] for session in sessions))

    def copy_store(self, to):
        for ending in ("", "-wal"):
            file = pathlib.Path(f"{self.store}{ending}")
            if file.exists():
                shutil.copy(file, f"{to}{ending}")

    # ---- Touches

    def place(self):
        return self.random.randrange(WIDTH - 100), self.random.randrange(HEIGHT)

    def session(self, rounds, screens=SCREENS, pause=1):
        """Fingers on both displays, with pauses of up to `pause` seconds; ends the session."""
        hand, side = Panel(self, "hand"), Panel(self, "side")
        for number in range(rounds):
            if number % 4 == 0:
                self.name_screen(screens[number // 4 % len(screens)])
            panel = side if self.random.random() < 0.3 else hand
            fingers = 1 if self.random.random() < 0.5 else self.random.randrange(2, SLOTS + 1)
            panel.tap(*(self.place() for _ in range(fingers)), drag=self.random.choice([0, 0, 9, 40]))
            time.sleep(pause * self.random.random())
        side.unplug()
        hand.unplug()
        self.call("EndSession")
        self.wait_for("idle", lambda: not self.call("GetStatus").get("session"))

    def oddities(self):
        """A palm, a touch off the panel, and a finger that the unplugged panel takes with it."""
        self.name_screen("menu")
        panel = Panel(self, "hand")
        panel.down([self.place(), self.place()])
        panel.frame({slot: [(e.ABS_MT_TOOL_TYPE, 2)] for slot in range(2)})
        panel.up()
        panel.tap((WIDTH + 50, 30), (20, 20))
        panel.down([self.place()])
        panel.unplug()
        time.sleep(70)

    def ghosts(self):
        """A panel repeats a touch every 2 s. First they are part of a session, then of none."""
        self.name_screen("menu")
        panel = Panel(self, "hand")
        began = time.monotonic()
        for beat in range(1, 61):
            time.sleep(began + 2 * beat - time.monotonic())
            panel.down([(500, 400)])
            panel.up()
        panel.unplug()

    def hold_while_killed(self):
        self.name_screen("menu")
        panel = Panel(self, "hand")
        panel.tap((100, 100))
        panel.down([(300, 300)])
        time.sleep(5)
        self.end(signal.SIGKILL)
        self.start()
        self.wait_until_read(panel.device.device.path)
        panel.move(200)
        panel.up()
        panel.tap((400, 100))
        panel.unplug()
        time.sleep(70)


class Recording:
    """A recording of make-kiosk-month.py. `screens`: (time, name); `downs`: the times of its touch-downs."""

    def __init__(self, path):
        self.path, self.screens, self.downs = path, [], []
        for line in path.read_text().splitlines():
            if found := re.match(r"# touchgrid-screen (\S+) (.*)", line):
                self.screens.append((float(found[1]), found[2]))
            elif found := re.match(r"E: (\S+) 0003 0039 \d", line):
                self.downs.append(float(found[1]))

    def middle(self, day):
        """The time of the touch-down in the middle of those of a day."""
        downs = [at for at in self.downs if time.strftime("%Y-%m-%d", time.localtime(at)) == day]
        return downs[len(downs) // 2]


class Days:
    def __init__(self, folder, recordings, result):
        self.result = result
        self.kiosks = {name: Kiosk(folder, name, zone, seed) for seed, (name, zone) in enumerate(
            (("a", BERLIN), ("b", BERLIN), ("c", EASTERN_EUROPE)))}
        self.recordings = {name: Recording(recordings / f"{name}.evemu") for name in self.kiosks}
        self.backup = folder / "backup.db"

    def live(self):
        time.clock_settime(time.CLOCK_REALTIME, local(DAYS[0], "08:00"))
        self.ahead = time.time() - time.monotonic()
        for kiosk in self.kiosks.values():
            kiosk.start()
            kiosk.touchgrid("set-screen", "welcome", "--socket", kiosk.socket)
        plays = [self.play(name) for name in self.kiosks]
        for at, number, action in sorted(self.plan()):
            time.sleep(max(0, at - self.ahead - time.monotonic()))
            print(time.strftime("%d %H:%M:%S"), time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID), os.times(), number, open("/proc/stat").readline(), flush=True)
            action()
        for play in plays:
            if play.wait() != 0:
                sys.exit(f"a play ended with {play.returncode}")
        for name, kiosk in self.kiosks.items():
            kiosk.end()
            kiosk.copy_store(self.result / f"{name}.db")
        (self.result / "played.json").write_text(json.dumps(
            {name: kiosk.touches for name, kiosk in self.kiosks.items()}))

    def play(self, name):
        """Plays a recording over three days, each touch at its time."""
        recording = self.recordings[name]
        self.kiosks[name].touches += len(recording.downs)
        wait = recording.downs[0] - time.time()
        return subprocess.Popen(
            ["touchgrid", "play", recording.path, "--name", f"Kiosk {name} panel", "--start-after", f"{wait:.3f}",
             "--hold", "1"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def plan(self):
        """(time, number, function) of everything that is not in the recordings."""
        a, b, c = self.kiosks.values()
        steps = [(at, kiosk.name_screen, (name,)) for kiosk in self.kiosks.values()
                 for at, name in self.recordings[kiosk.name].screens]

        def step(day, clock, function, *parameters):
            steps.append((local(DAYS[day - 1], clock), function, parameters))

        # As a session of b runs: in the middle of a touch in the afternoon.
        downs = self.recordings["b"].downs
        steps.append((min(at for at in downs if at > local(DAYS[0], "15:00")) + 2, self.back_up, ()))
        step(1, "21:30", a.ghosts)
        step(1, "23:59", b.session, 60, SCREENS[:2], 4)
        step(2, "08:30", self.export, "bc")
        steps.append((self.recordings["a"].middle(DAYS[1]), self.kill, ()))
        step(2, "22:00", a.hold_while_killed)
        step(2, "22:10", c.forget_first_session)
        step(3, "00:10", a.session, 4)
        step(3, "08:30", self.export, "abc")
        step(3, "08:35", self.put_back)
        step(3, "12:00", lambda: c.touchgrid("set-display", MAIN, "--rotation", 90, "--socket", c.socket))
        step(3, "13:00", self.export, "ab")
        step(3, "22:10", c.forget, "--since", DAYS[0], "--until", DAYS[0])
        step(3, "22:11", a.forget_first_session)
        step(4, "00:10", a.session, 4)
        step(4, "09:00", self.export, "abc")
        for day in (1, 2, 3):
            for number, kiosk in enumerate(self.kiosks.values()):
                step(day, f"21:4{number}", kiosk.session, 12)
                step(day, f"21:5{number}", kiosk.oddities)
        return [(at, number, lambda function=function, parameters=parameters: function(*parameters))
                for number, (at, function, parameters) in enumerate(steps)]

    def export(self, names):
        for name in names:
            self.kiosks[name].export(self.result)

    def kill(self):
        kiosk = self.kiosks["a"]
        kiosk.wait_for("touched", lambda: kiosk.call("GetStatus")["touchesDown"] > 0, pause=0.02)
        kiosk.end(signal.SIGKILL)
        kiosk.start()

    def back_up(self):
        kiosk = self.kiosks["b"]
        if not kiosk.call("GetStatus").get("session"):
            sys.exit("no session runs while b is backed up")
        kiosk.touchgrid("store", "backup", "--store", kiosk.store, self.backup)
        shutil.copy(self.backup, self.result / "b-backup.db")

    def put_back(self):
        kiosk = self.kiosks["b"]
        kiosk.end()
        kiosk.copy_store(self.result / "b-replaced.db")
        for ending in ("", "-wal", "-shm"):
            pathlib.Path(f"{kiosk.store}{ending}").unlink(missing_ok=True)
        shutil.copy(self.backup, kiosk.store)
        shutil.chown(kiosk.store, "nobody", "nogroup")
        time.clock_settime(time.CLOCK_REALTIME, local(DAYS[1], "23:30"))
        kiosk.start()
        for name in "ba":
            self.kiosks[name].session(12)
        time.clock_settime(time.CLOCK_REALTIME, time.monotonic() + self.ahead)


def main():
    os.environ["TZ"] = BERLIN
    time.tzset()
    folder, recordings, result = map(pathlib.Path, sys.argv[1:])
    result.mkdir()
    Days(folder, recordings, result).live()


main()
