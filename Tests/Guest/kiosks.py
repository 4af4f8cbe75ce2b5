#!/usr/bin/python3
"""Three kiosks live three days, in a guest that skips idle time: each is a daemon with a store, panels and
an export of its own.

kiosks.py FOLDER RECORDINGS RESULT

FOLDER is made, for what the kiosks need. RECORDINGS has a-1.evemu to c-3.evemu, which make-kiosk-month.py
made: what is played on each kiosk on each day. RESULT is a folder, which gets:

- NUMBER-KIOSK/in/...: all objects of a kiosk's folder after each export, in the order of the exports
- a.db, b.db, c.db: the stores in the end; b-backup.db: the backup that was put back; b-replaced.db: the
  store that it replaced
- played.json: the number of touches of each kiosk

`Days.live` has what happens. A daemon rolls up a day at the end of the first session of the next day, or
when it starts, and the day can be exported then. The clock of c is one hour ahead of the others, and its
time zone has no name.
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
# A session ends after 60 s. In seconds.
LONGEST_PAUSE = 70
# How long before its first event a recording's panel is plugged in, in seconds.
START_AFTER = 3
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
    """Seconds since 1970 at a time of day in Berlin; `day` counts from 1."""
    return time.mktime(time.strptime(f"{DAYS[day - 1]} {clock}", "%Y-%m-%d %H:%M"))


def set_clock(day, clock):
    time.clock_settime(time.CLOCK_REALTIME, local(day, clock))


def wait_until(day, clock):
    time.sleep(max(0, local(day, clock) - time.time()))


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
                for which, display in ((" side", SIDE), ("*", MAIN)))
            + '[[device]]\nmatch = "*"\nignore = true\n')
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

    def wait_until_idle(self):
        self.wait_for("idle", lambda: not self.call("GetStatus").get("session"), pause=1)

    def end(self, with_signal=signal.SIGTERM):
        self.process.send_signal(with_signal)
        self.process.wait()

    def call(self, method, **parameters):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(str(self.socket))
            call = {"method": f"io.touchgrid.{method}", "parameters": parameters}
            connection.sendall(json.dumps(call).encode() + b"\0")
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
        words = ["touchgrid", *map(str, words)]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env=os.environ | {"TZ": self.zone})
        if done.returncode:
            sys.exit(f"{' '.join(words)} ended with {done.returncode}: {done.stdout}")
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

    def session(self, rounds, pause=1):
        """Fingers on both displays, with pauses of up to `pause` seconds; ends the session."""
        hand, side = Panel(self, "hand"), Panel(self, "side")
        for number in range(rounds):
            if number % 4 == 0:
                self.name_screen(SCREENS[number // 4 % len(SCREENS)])
            panel = side if self.random.random() < 0.3 else hand
            fingers = 1 if self.random.random() < 0.5 else self.random.randrange(2, SLOTS + 1)
            panel.tap(*(self.place() for _ in range(fingers)), drag=self.random.choice([0, 0, 9, 40]))
            time.sleep(pause * self.random.random())
        side.unplug()
        hand.unplug()
        self.call("EndSession")
        self.wait_until_idle()

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
        self.wait_until_idle()

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
        self.wait_until_idle()


class Recording:
    """A recording of make-kiosk-month.py, with shorter pauses. `screens`: (time, name); `downs`: the times of
    its touch-downs; in seconds since its first event."""

    def __init__(self, path):
        self.path, self.screens, self.downs = path, [], []
        last, at = None, 0
        for line in path.read_text().splitlines():
            found = re.match(r"(?:E:|# touchgrid-screen) (\d\S+) (.*)", line)
            if not found:
                continue
            pause = min(float(found[1]) - last, LONGEST_PAUSE) if last else 0
            if line.startswith("#"):
                self.screens.append((at + pause, found[2]))
                continue
            last, at = float(found[1]), at + pause
            if re.match(r"0003 0039 \d", found[2]):
                self.downs.append(at)


class Days:
    def __init__(self, folder, recordings, result):
        self.recordings, self.result, self.backup = recordings, result, folder / "backup.db"
        self.kiosks = [Kiosk(folder, name, zone, seed) for seed, (name, zone) in enumerate(
            (("a", BERLIN), ("b", BERLIN), ("c", EASTERN_EUROPE)))]

    def live(self):
        a, b, c = self.kiosks
        set_clock(1, "10:00")
        for kiosk in self.kiosks:
            kiosk.start()
        self.play_recordings(1, b, self.back_up)
        set_clock(1, "22:40")
        a.ghosts()
        self.evening()
        wait_until(1, "23:59")
        # Around midnight.
        b.session(20, pause=12)

        set_clock(2, "14:00")
        self.play_recordings(2, a, self.kill)
        # a misses an export.
        self.export(b, c)
        set_clock(2, "22:20")
        a.hold_while_killed()
        c.forget_first_session()
        self.evening()

        wait_until(3, "00:10")
        # A start also rolls up. Sessions of b on this day would be lost with the store.
        b.end()
        b.start()
        for kiosk in (a, c):
            kiosk.session(4)
        self.export(a, b, c)
        self.put_back(b, a)
        set_clock(3, "11:00")
        self.play_recordings(3, c, self.turn)
        self.export(a, b)
        set_clock(3, "22:40")
        b.ghosts()
        self.evening()
        c.forget("--since", DAYS[0], "--until", DAYS[0])
        a.forget_first_session()

        wait_until(4, "00:10")
        for kiosk in self.kiosks:
            kiosk.session(4)
        self.export(a, b, c)
        for kiosk in self.kiosks:
            kiosk.end()
            kiosk.copy_store(self.result / f"{kiosk.name}.db")
        played = {kiosk.name: kiosk.touches for kiosk in self.kiosks}
        (self.result / "played.json").write_text(json.dumps(played))

    def play_recordings(self, day, kiosk, action):
        """Plays a recording on each kiosk, and names its screens. Calls `action` in the middle of that of
        `kiosk`."""
        plays, steps, began = [], [], time.monotonic() + START_AFTER
        for each in self.kiosks:
            recording = Recording(self.recordings / f"{each.name}-{day}.evemu")
            each.touches += len(recording.downs)
            steps += [(at, each.name_screen, name) for at, name in recording.screens]
            if each is kiosk:
                steps.append((recording.downs[len(recording.downs) // 2], action, kiosk))
            plays.append(subprocess.Popen(
                ["touchgrid", "play", recording.path, "--name", f"Kiosk {each.name} panel", "--hold", "1",
                 "--max-pause", str(LONGEST_PAUSE), "--start-after", str(START_AFTER)],
                stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for at, function, parameter in sorted(steps, key=lambda step: step[0]):
            time.sleep(max(0, began + at - time.monotonic()))
            function(parameter)
        for play in plays:
            if play.wait() != 0:
                sys.exit(f"touchgrid play ended with {play.returncode}")
        for each in self.kiosks:
            each.wait_until_idle()

    def evening(self):
        for kiosk in self.kiosks:
            kiosk.session(12)
            kiosk.oddities()

    def export(self, *kiosks):
        for kiosk in kiosks:
            kiosk.export(self.result)

    @staticmethod
    def kill(kiosk):
        """Kills the daemon as soon as a finger is down."""
        kiosk.wait_for("touched", lambda: kiosk.call("GetStatus")["touchesDown"] > 0, pause=0.02)
        kiosk.end(signal.SIGKILL)
        kiosk.start()

    @staticmethod
    def turn(kiosk):
        kiosk.touchgrid("set-display", MAIN, "--rotation", 90, "--socket", kiosk.socket)

    def back_up(self, kiosk):
        if not kiosk.call("GetStatus").get("session"):
            sys.exit("no session runs while b is backed up")
        kiosk.touchgrid("store", "backup", "--store", kiosk.store, self.backup)
        shutil.copy(self.backup, self.result / "b-backup.db")

    def put_back(self, kiosk, other):
        """Puts the backup back. The clock says the evening before meanwhile, so that the day before, which
        was exported, gets more sessions."""
        kiosk.end()
        kiosk.copy_store(self.result / "b-replaced.db")
        for ending in ("", "-wal", "-shm"):
            pathlib.Path(f"{kiosk.store}{ending}").unlink(missing_ok=True)
        shutil.copy(self.backup, kiosk.store)
        shutil.chown(kiosk.store, "nobody", "nogroup")
        set_clock(2, "23:30")
        kiosk.start()
        for each in (kiosk, other):
            each.session(8)


def main():
    os.environ["TZ"] = BERLIN
    time.tzset()
    folder, recordings, result = map(pathlib.Path, sys.argv[1:])
    result.mkdir()
    Days(folder, recordings, result).live()


main()
