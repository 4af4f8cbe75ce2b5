"""Clients can do only what their roles permit: random calls, generated from the interface's file.

TOUCHGRID_CALLS: the number of calls, by default 200,000. TOUCHGRID_SEED: the seed of the random calls."""

import collections
import grp
import multiprocessing
import os
import time
import unittest

from caller import Caller, Wrong
from interface import Interface
from panel import taps
from touchgrid_test.daemon import Daemon
from touchgrid_test.waiting import ROOT, until

FILE = ROOT / "Sources/Service/TouchgridAPI/io.touchgrid.varlink"
# An ID that belongs to no existing user, as which the daemon runs.
USER = 61_000
# The group of each role, None for no group. Every system has these groups.
GROUPS = {"app": "daemon", "read": "bin", "watch": "sys", "signal": "adm", "operate": "tty",
          "owner": None}
# A part of every name that clients without a role must not see.
HIDDEN = "kept-from-strangers"
# Large blocks keep the replies short, because the tests are about permissions and not about large replies.
CONFIGURATION = (
    '[session]\nmode = "manual"\n[roles]\n' + "".join(f'{role} = "{group}"\n' for role, group in GROUPS.items() if group)
    + f'[grid]\nblock_size = 32\n[[display]]\nname = "{HIDDEN}"\nwidth = 128\nheight = 128\n'
    f'[[device]]\nmatch = "*"\ndisplay = "{HIDDEN}"\n'
    f'[[mask]]\nscreen = "{HIDDEN}"\nx = 0\ny = 0\nwidth = 32\nheight = 32\n')

CALLS = int(os.environ.get("TOUCHGRID_CALLS", 200_000))
SEED = int(os.environ.get("TOUCHGRID_SEED", 1))
# The factor by which a sanitizer slows the daemon down. The daemon then also needs many times the memory.
SLOWNESS = int(os.environ.get("TOUCHGRID_SLOWNESS", 1))

# The callers: name, user, group, supplementary groups, and the roles that these give.
ALL = ("app", "read", "watch", "signal", "operate", "owner")
STRANGERS = [("a stranger", 61_001, 61_001, ("nogroup", "users"), ())]
READERS = [("who reads", 61_002, 61_002, ("nogroup", GROUPS["read"]), ("read",)),
           ("who watches", 61_003, GROUPS["watch"], (), ("watch",)),
           ("who gets signals", 61_006, 61_006, (GROUPS["signal"],), ("signal",))]
APPS = [("an app", 61_004, 61_004, (GROUPS["app"],), ("app",)),
        ("who operates", 61_007, 61_007, (GROUPS["operate"],), ("operate",)),
        ("an app that reads", 61_005, GROUPS["read"], (GROUPS["app"],), ("app", "read"))]
OWNER = ("the daemon's own user", USER, USER, (), ALL)

fork = multiprocessing.get_context("fork")


def number(group):
    return grp.getgrnam(group).gr_gid if isinstance(group, str) else group


def call(pipe, user, group, groups, client, count):
    """Makes `count` calls as another user. Must run in a separate process, because it drops all privileges first."""
    try:
        os.setgroups(groups)
        os.setgid(group)
        os.setuid(user)
        client.run(count)
        pipe.send((client.calls, client.outcomes, None))
    except (Wrong, OSError) as error:
        pipe.send((client.calls, client.outcomes, f"{type(error).__name__}: {error}"))


class Calls(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.text = FILE.read_text()
        cls.daemon = Daemon(CONFIGURATION, rights={"user": USER, "group": USER, "extra_groups": []}, name=HIDDEN)
        cls.addClassCleanup(cls.daemon.close)
        cls.daemon.start(taps(300 + CALLS // 500))
        cls.daemon.has_counted(1)
        # Give the callers something to read and something to change.
        cls.daemon.call("BeginSession", tags={HIDDEN: HIDDEN})
        cls.daemon.call("SetScreen", name=HIDDEN)
        cls.daemon.call("AddMask", mask={"screen": HIDDEN, "display": HIDDEN,
                                        "rectangle": {"x": 96, "y": 96, "width": 16, "height": 16}})

    def call(self, people, count, text=None):
        """Lets several callers make random calls in parallel. Returns the number of calls, their outcomes and the
        violations."""
        interface = Interface(text or self.text)
        share = -(-count // len(people))
        self.rounds = getattr(self, "rounds", 0) + 1
        running = []
        for who, user, group, groups, roles in people:
            client = Caller(self.daemon.socket, interface, roles, GROUPS, f"{SEED} {self.rounds} {who}", [HIDDEN], HIDDEN)
            mine, theirs = fork.Pipe(duplex=False)
            process = fork.Process(
                target=call, args=(theirs, user, number(group), [number(one) for one in groups], client, share))
            process.start()
            theirs.close()
            running.append((who, process, mine))
        calls, outcomes, wrong = 0, collections.Counter(), []
        for who, process, mine in running:
            try:
                made, became, error = mine.recv()
            except EOFError:
                made, became, error = 0, {}, "it ended without a report"
            process.join()
            calls += made
            outcomes.update(became)
            if error:
                wrong.append(f"{who}: {error}\n  (TOUCHGRID_SEED={SEED})")
        return calls, outcomes, wrong

    def is_rid_of_clients(self):
        until(lambda: self.daemon.call("GetStatus")["clients"] <= 1, "all clients have gone")

    def state(self):
        """Returns everything that a call without permission could have changed."""
        status = self.daemon.call("GetStatus")
        sessions = self.daemon.call("ListSessions")["sessions"]
        return {
            "screen": self.daemon.call("GetScreen"), "displays": self.daemon.call("GetDisplays"),
            "masks": self.daemon.call("GetMasks"),
            "sessions": [(one["id"], one["tags"], one.get("end")) for one in sessions],
            "pauses": status["pauses"], "mode": status["mode"], "watchers": status["watchers"],
            "followers": status["followers"],
            "unrecorded": status["tally"]["unrecorded"], "clients": status["clients"],
        }

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.daemon.process.pid}/fd"))

    def check_totals(self):
        sessions = self.daemon.call("ListSessions")["sessions"]
        for session in sessions:
            totals = session["totals"]
            self.assertEqual(totals["begun"], sum(totals[part] for part in (
                "counted", "masked", "palms", "suspectedGhosts", "swallowed", "stillDown")), session)
        return len(sessions)

    def test_the_daemon_describes_its_interface_by_the_file(self):
        told = self.daemon.call("org.varlink.service.GetInterfaceDescription", interface="io.touchgrid")
        self.assertEqual(told["description"], self.text)

    def test_no_client_gets_more_than_its_role_gives(self):
        before, descriptors, start = self.state(), self.descriptors(), time.monotonic()
        few = self.call(STRANGERS + READERS, CALLS // 2)
        self.assertEqual(few[2], [])
        self.is_rid_of_clients()
        self.assertEqual(self.state(), before, "clients that may only read or watch changed the state")

        apps = self.call(STRANGERS + READERS + APPS, CALLS // 4)
        self.assertEqual(apps[2], [])
        # Run the owner last, because it may delete the sessions, which are checked first.
        self.assertGreater(self.check_totals(), 1)

        all_ = self.call(STRANGERS + READERS + APPS + [OWNER], CALLS // 4)
        self.assertEqual(all_[2], [])
        methods = Interface(self.text).methods
        outcomes = few[1] + apps[1] + all_[1]
        # Right parameters of some methods are rare.
        for _ in range(10):
            if all(outcomes[name, "answered"] for name in methods):
                break
            more = self.call([OWNER], CALLS // 10)
            self.assertEqual(more[2], [])
            outcomes += more[1]
        seconds = time.monotonic() - start
        self.is_rid_of_clients()
        memory = self.daemon.memory() / 1024
        ends = collections.Counter()
        for (_, end), times in outcomes.items():
            ends[end] += times
        worked = self.daemon.processor_seconds()
        print(f"calls: {sum(outcomes.values())} in {seconds:.0f} s, of a processor {worked:.0f} s for the daemon; "
              f"{memory:.0f} MiB at the most; " + ", ".join(f"{end} {times}" for end, times in ends.most_common()))

        # Callers with the role called each method successfully; others were denied it.
        self.assertEqual([name for name in methods if not outcomes[name, "answered"]], [])
        self.assertEqual([name for name in methods if outcomes[name, "NotPermitted"] < CALLS / 1000], [])
        # A pause ends with the connection that requested it.
        status = self.daemon.call("GetStatus")
        self.assertEqual((status["pauses"], status["watchers"]), (0, 0))
        # The store may have one descriptor more or less at any time. After so many calls, a leak would add many more.
        self.assertLess(abs(self.descriptors() - descriptors), 4)
        self.assertLess(memory, 100 * SLOWNESS)
        self.check_totals()
        self.assertIsNone(status["store"].get("error"))

    @classmethod
    def tearDownClass(cls):
        cls.daemon.stop()
        assert cls.daemon.rows("PRAGMA integrity_check") == [("ok",)]
