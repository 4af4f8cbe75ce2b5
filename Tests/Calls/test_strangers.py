"""Users without a role can neither keep an app from connecting nor delay its calls."""

import os
import unittest

import hostile
from panel import taps
from touchgrid_test.client import CallError, Client
from touchgrid_test.daemon import Daemon
from touchgrid_test.waiting import until

SECONDS = int(os.environ.get("TOUCHGRID_SIEGE_SECONDS", 12))
# The time, in seconds, that the app and the watcher have to connect before the touches begin.
LEAD = 10
# If the machine is busy, names come late.
LATE = '[session]\nlate_names = "5s"\n'


class Strangers(unittest.TestCase):
    def start(self):
        daemon = Daemon(LATE + hostile.CONFIGURATION, rights={"user": 61_000, "group": 61_000, "extra_groups": []})
        self.addCleanup(daemon.close)
        return daemon.start(taps(SECONDS, LEAD))

    def test_two_users_without_a_role_cannot_lock_an_app_out(self):
        """Lets users with a role connect while two users without a role hold and open connections."""
        daemon = self.start()
        users = [hostile.start(hostile.hostile_user, daemon.socket, hostile.FIRST_HOSTILE + number, ("idle",) * 40)
                 for number in range(2)]
        until(lambda: daemon.call("GetStatus")["clients"] >= 8, "as many connections of theirs as they may have")
        for role, method, parameters in (("app", "SetScreen", {"name": "menu"}), ("read", "GetStatus", {})):
            process, pipe = hostile.start(connect, daemon.socket, role, method, parameters)
            self.assertEqual(pipe.recv(), ["answered"] * 20)
            process.join()
        for process, pipe in users:
            pipe.send("end")
            # The users really did try to lock the app out.
            self.assertGreater(pipe.recv()["idle", "TooManyClients"], 20)
            process.kill()
            process.join()

    def test_among_64_hostile_connections_names_are_in_time_and_masks_hold(self):
        touches, daemon = 5 * SECONDS, self.start()
        found = hostile.besiege(daemon.socket, touches, SECONDS)
        print(f"strangers: {found}")
        self.assertEqual(found["errors"], [])
        # The time depends on the machine, so nothing else may run meanwhile.
        if os.environ.get("TOUCHGRID_LOAD"):
            self.assertLess(found["p99_ms"], 50)
        self.assertEqual((found["masked_shown"], found["masked_counted"]), (0, 0))
        self.assertEqual((found["lost"], found["drops"]), (0, 0))
        # Make sure that the test was not vacuous: there were touches to mask, touches to show, and
        # attackers that got through.
        self.assertGreater(found["masked"], touches / 5)
        self.assertGreater(found["counted"], touches / 5)
        self.assertEqual(found["shown"], found["counted"])
        self.assertGreater(found["hostile"]["small, NotPermitted"], 50)
        for kind in hostile.KINDS:
            self.assertGreater(found["hostile"][f"{kind}, connected"], 10)


def connect(pipe, path, role, method, parameters):
    """Makes 20 calls, each on a new connection, and sends their outcomes."""
    hostile.become(hostile.APP, hostile.GROUPS[role])
    outcomes = []
    for _ in range(20):
        with Client(path) as client:
            try:
                client.call(method, **parameters)
                outcomes.append("answered")
            except (CallError, OSError) as error:
                outcomes.append(str(error))
    pipe.send(outcomes)


if __name__ == "__main__":
    unittest.main()
