#!/usr/bin/python3
"""Plays a kiosk's day for the packaged daemon, in a guest that skips idle time.

life.py RESULT [--sessions N] [--hours H] [--suspends N] [--seed N]

Plays N sessions on its own touchscreens: taps, swipes, many fingers, palms, masked and paused
touches. Meanwhile panels come and go, the configuration is reloaded, the wall clock jumps, the
machine suspends, and clients connect, watch, query, are cut off and leave. RESULT gets, as JSON,
what was played, and repeated samples of the daemon's memory, descriptors and threads. Before a
suspend, life.py detaches /host, which does not survive one, prints "life: asleep" on the console,
and waits to be woken (`guest wake`).
"""

import argparse
import fcntl
import functools
import glob
import json
import os
import random
import sqlite3
import struct
import subprocess
import time

import touchgrid
from panel import SLOTS, Panel

Client = functools.partial(touchgrid.Client, timeout=60)
CONFIGURATION = "/etc/touchgrid/touchgridd.toml"
WIDTH, HEIGHT = 1024, 768
# The longest idle timeout that `reload` configures, in seconds.
IDLE = 8
SCREENS = ["menu", "catalogue", "checkout", "checkout/pay", "help"]
# The length of a suspend, in seconds.
SUSPENDED = 600
RTC_SET_TIME = 0x4024700a


def console(*words):
    with open("/dev/ttyS0", "w", encoding="ascii") as out:
        print("life:", *words, file=out)


def boottime():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Life:
    def __init__(self, options):
        self.random = random.Random(options.seed)
        self.options = options
        # The totals that the store must have in the end.
        self.played = dict(begun=0, masked=0, palms=0, counted=0, sessions=0)
        self.done = dict(plugs=0, reloads=0, jumps=0, suspends=0, given_up=0, cut_off=0, unrecorded=0,
                         questions=0)
        # Attempts that did not have the required effect.
        self.failed = []
        self.samples = []
        with open(CONFIGURATION, encoding="utf-8") as file:
            self.configuration = file.read()
        self.wall = time.time() - boottime()
        self.reload()
        self.pid = int(self.systemctl("show", "-P", "MainPID", "touchgridd"))
        self.app = Client()
        self.panels = [self.plug("Panel 0")]

    # ---- Touches

    def place(self):
        return self.random.randrange(WIDTH - 100), self.random.randrange(HEIGHT)

    def touch(self, panel, fingers, kind="begun"):
        places = {slot: self.place() for slot in range(fingers)}
        panel.show(places)
        for step in range(self.random.randrange(5, 9)):
            by = step * self.random.randrange(1, 9)
            panel.show({slot: (min(x + by, WIDTH - 1), y) for slot, (x, y) in places.items()})
        if kind == "palms":
            panel.palms()
        panel.show({})
        self.count(kind, fingers)

    def count(self, kind, fingers):
        if kind == "unrecorded":
            self.done["unrecorded"] += fingers
            return
        self.played["begun"] += fingers
        self.played["counted" if kind == "begun" else kind] += fingers

    def touches(self, panel):
        for _ in range(self.random.randrange(1, 7)):
            chance = self.random.random()
            fingers = 1 if chance < 0.7 else self.random.randrange(2, SLOTS + 1)
            self.touch(panel, fingers, "palms" if chance > 0.97 else "begun")
            time.sleep(self.random.random() * 2)

    # ---- Other events

    @staticmethod
    def systemctl(*words):
        return subprocess.run(["systemctl", *words], check=True, capture_output=True, text=True).stdout

    def wait_for_devices(self, count):
        for _ in range(600):
            if self.app.call("GetStatus")["devices"] == count:
                return
            time.sleep(0.1)
        raise RuntimeError(f"not {count} devices: {self.app.call('GetDevices')}")

    def plug(self, name):
        panel = Panel(name, WIDTH, HEIGHT)
        self.wait_for_devices(len(getattr(self, "panels", [])) + 1)
        self.done["plugs"] += 1
        return panel

    def unplug(self, panel):
        """Removes a panel. The pause lets the daemon read all events first, because it loses the
        rest."""
        time.sleep(0.5)
        self.panels.remove(panel)
        panel.close()
        self.wait_for_devices(len(self.panels))

    def visit(self):
        visitor = self.plug(f"Visitor {self.random.randrange(20)}")
        self.panels.append(visitor)
        self.touches(visitor)
        if self.random.random() < 0.5:
            visitor.show({0: self.place()})
            self.count("begun", 1)
        self.unplug(visitor)

    def reload(self):
        block, idle, masks = self.random.choice([16, 16, 32]), self.random.choice([6, 8]), ""
        for number in range(self.random.randrange(4)):
            masks += f"[[mask]]\nscreen = \"never/{number}\"\n"
        with open(CONFIGURATION, "w", encoding="utf-8") as file:
            file.write(self.configuration.replace("block_size = 16", f"block_size = {block}")
                       .replace('idle_timeout = "60s"', f'idle_timeout = "{idle}s"')
                       + "\n[[mask]]\nscreen = \"pin\"\n" + masks)
        self.systemctl("reload", "touchgridd")
        # `systemctl reload` returns shortly before the daemon applies the new configuration.
        time.sleep(1)
        self.done["reloads"] += "pid" in self.__dict__

    def jump(self):
        """Sets the wall clock forward or back by hours, days or a year. A wrong clock is set
        right again."""
        if abs(time.time() - boottime() - self.wall) > 1:
            offset = 0
        else:
            offset = self.random.choice([3600, -3600, 7200, -7200, 86400, -86400, 5 * 86400, -5 * 86400,
                                         365 * 86400, -365 * 86400])
        time.clock_settime(time.CLOCK_REALTIME, self.wall + boottime() + offset)
        self.done["jumps"] += 1

    def suspend(self):
        subprocess.run(["umount", "/host"], check=False, capture_output=True)
        for link in glob.glob("/sys/bus/virtio/drivers/9pnet_virtio/virtio*"):
            self.write("/sys/bus/virtio/drivers/9pnet_virtio/unbind", os.path.basename(link))
        before = boottime() - time.monotonic()
        # The kernel learns the length of the suspend from the board's clock, so setting that ahead
        # makes the suspend look long.
        ahead = time.gmtime(time.time() + SUSPENDED)
        clock = os.open("/dev/rtc0", os.O_RDONLY)
        fcntl.ioctl(clock, RTC_SET_TIME, struct.pack(
            "9i", *reversed(ahead[:6][3:]), ahead.tm_mday, ahead.tm_mon - 1, ahead.tm_year - 1900, 0, 0, 0))
        os.close(clock)
        console("asleep")
        self.write("/sys/power/state", "mem")
        slept = boottime() - time.monotonic() - before
        console(f"awake after {slept:.0f} s")
        # A suspend that the kernel aborted, or did not learn the length of, is repeated after the
        # next session.
        name = "suspends" if slept >= 0.9 * SUSPENDED else "given_up"
        self.done[name] += 1
        return name == "suspends"

    @staticmethod
    def write(path, text):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)

    def ask(self):
        with Client() as client:
            for method, parameters in (("GetGrids", {"layer": self.random.choice(["taps", "trail", "dwell"])}),
                                       ("ListSessions", {}), ("ListDays", {})):
                for _ in client.stream(method, **parameters):
                    pass
            client.call("GetDevices")
        self.done["questions"] += 4

    def masked(self, panel):
        self.app.call("SetScreen", name="pin")
        self.touch(panel, self.random.randrange(1, 5), "masked")
        time.sleep(0.5)
        self.app.call("SetScreen", name=self.random.choice(SCREENS))

    def paused(self, panel):
        with Client() as client:
            client.call("Pause")
            time.sleep(0.5)
            self.touch(panel, 2, "unrecorded")
        time.sleep(0.5)

    def watched(self, panel):
        """Connects a client that reads, one that does not, and one that sends nonsense, which
        the daemon cuts off."""
        watcher, sleeper, fool = Client(), Client(), Client()
        seen, unread = (client.stream("WatchTouches") for client in (watcher, sleeper))
        for stream in (seen, unread):
            next(stream)
        fool.socket.sendall(b"nonsense\0")
        self.touch(panel, 3)
        while not any(touch["phase"] == "ended" for touch in next(seen)["touches"]):
            pass
        while fool.socket.recv(1 << 16):
            pass
        self.done["cut_off"] += 1
        for client in (watcher, sleeper, fool):
            client.close()

    # ---- Sessions

    def session(self):
        panel = self.panels[0]
        if self.random.random() < 0.3:
            self.app.call("BeginSession", tags={"build": str(self.random.randrange(9))})
        self.app.call("SetScreen", name=self.random.choice(SCREENS))
        self.touch(panel, 1)
        for chance, happening in ((0.15, self.masked), (0.05, self.paused), (0.05, self.watched)):
            if self.random.random() < chance:
                happening(panel)
        if self.random.random() < 0.1:
            self.visit()
        if self.random.random() < 0.05:
            self.reload()
        self.touches(panel)
        if self.due_suspend() and self.suspend():
            time.sleep(1)
            if self.app.call("GetStatus").get("session"):
                self.failed.append(f"suspend {self.done['suspends']} ended no session")
                time.sleep(IDLE)
        elif self.random.random() < 0.5:
            time.sleep(0.3)
            self.app.call("EndSession")
            # The session ends only after its pending touches are committed.
            time.sleep(6)
        else:
            time.sleep(IDLE + 1)
        if self.random.random() < 0.05:
            self.jump()
        if self.random.random() < 0.05:
            self.ask()
        self.played["sessions"] += 1

    def due_suspend(self):
        return self.done["suspends"] < (self.played["sessions"] + 1) * self.options.suspends \
            / self.options.sessions

    def sample(self):
        sample = {"sessions": self.played["sessions"], "hours": round((boottime() - self.begun) / 3600, 2)}
        with open(f"/proc/{self.pid}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words[0][:-1] in ("Rss", "Private_Dirty", "Private_Clean"):
                    sample[words[0][:-1]] = int(words[1])
        # Private clean pages belong to the program's own file. More of them means that more code
        # has run, not a leak.
        sample["own"] = sample.pop("Private_Dirty")
        sample["private"] = sample["own"] + sample.pop("Private_Clean")
        sample["descriptors"] = len(os.listdir(f"/proc/{self.pid}/fd"))
        sample["threads"] = len(os.listdir(f"/proc/{self.pid}/task"))
        sample["store"] = sum(map(os.path.getsize, glob.glob("/var/lib/touchgrid/touchgrid.db*")))
        self.samples.append(sample)
        console(json.dumps(sample))

    def live(self):
        self.begun = boottime()
        count, hours = self.options.sessions, self.options.hours
        for number in range(count):
            self.session()
            if number + 1 in (10, self.options.sessions // 2) or (number + 1) % 100 == 0 or number + 1 == count:
                time.sleep(30)
                self.sample()
            ahead = self.begun + hours * 3600 * (number + 1) / count - boottime()
            if ahead > 0:
                time.sleep(ahead)
        status = self.app.call("GetStatus")
        if int(self.systemctl("show", "-P", "MainPID", "touchgridd")) != self.pid:
            raise RuntimeError("the daemon is another")
        self.app.close()
        self.systemctl("stop", "touchgridd")
        return dict(wrong=self.wrong(status), played=self.played, done=self.done, samples=self.samples,
                    hours=round((boottime() - self.begun) / 3600, 2))

    def wrong(self, status):
        """Returns everything that is wrong: events, totals, and what the daemon holds at the
        end."""
        store = sqlite3.connect("/var/lib/touchgrid/touchgrid.db")
        wrong = self.failed + self.missed()
        wrong += [words for (words,) in store.execute("PRAGMA integrity_check") if words != "ok"]
        columns = list(self.played)[:-1]
        for name in columns + ["sessions", "ghosts", "swallowed", "still_down", "drops"]:
            # The totals of the days, plus those of the sessions that belong to no day yet.
            own = "count(*)" if name == "sessions" else f"sum({name})"
            found = sum(store.execute(query).fetchone()[0] or 0 for query in (
                f"SELECT sum({name}) FROM day", f"SELECT {own} FROM session WHERE rolled_up = 0"))
            if found != self.played.get(name, 0):
                wrong.append(f"{name}: {self.played.get(name, 0)} played, {found} in the books")
        if store.execute("SELECT count(*) FROM session WHERE ended IS NULL").fetchone()[0]:
            wrong.append("a session has no end")
        if status["tally"]["touches"] != self.played["begun"] + self.done["unrecorded"]:
            wrong.append(f"touches: {status['tally']}, unrecorded {self.done['unrecorded']}")
        if len(self.samples) > 1:
            early = next(each for each in self.samples if each["sessions"] >= min(100, self.options.sessions // 2))
            last = self.samples[-1]
            # Check "own" separately: "private" also shrinks when the kernel drops pages of the
            # program's file, which could hide a leak.
            for name, of in (("own", "private"), ("private", "private"), ("Rss", "Rss")):
                if last[name] - early[name] > 0.05 * early[of]:
                    wrong.append(f"memory ({name}): {early[name]} KiB, then {last[name]}")
            for name in ("descriptors", "threads"):
                if last[name] != early[name]:
                    wrong.append(f"{name}: {early[name]}, then {last[name]}")
        return wrong


    def missed(self):
        """Returns the events that happened too seldom. Half of the expected number is enough."""
        sessions, missed = self.options.sessions, []
        for name, each in (("plugs", 0.1), ("reloads", 0.05), ("jumps", 0.05), ("cut_off", 0.05),
                           ("questions", 0.2)):
            if self.done[name] < max(1, sessions * each / 2):
                missed.append(f"{name}: only {self.done[name]} in {sessions} sessions")
        if self.done["suspends"] != self.options.suspends or self.done["given_up"] > self.options.suspends:
            missed.append(f"suspends: {self.done['suspends']}, not {self.options.suspends}; "
                          f"{self.done['given_up']} given up")
        return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("result")
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--suspends", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        result = json.dumps(Life(options).live())
    except BaseException as error:
        result = json.dumps({"failed": repr(error)})
        raise
    finally:
        if not os.path.ismount("/host"):
            for path in glob.glob("/sys/bus/virtio/devices/virtio*"):
                if not os.path.exists(f"{path}/driver"):
                    Life.write("/sys/bus/virtio/drivers/9pnet_virtio/bind", os.path.basename(path))
            subprocess.run(["mount", "/host"], check=True)
        with open(options.result + ".new", "w", encoding="ascii") as file:
            file.write(result)
        os.rename(options.result + ".new", options.result)
        console("done")


main()
