"""Users without a role can neither keep an app from connecting nor delay its calls."""

import os
import time
import unittest

import hostile
from daemon import Daemon, recording
from run_cases import Pulse

SECONDS = int(os.environ.get("TOUCHGRID_SIEGE_SECONDS", 12))
# The time, in seconds, that all clients have to connect before the touches begin.
DELAY = 6


class Strangers(unittest.TestCase):
    def start(self, touches):
        # The daemon exits when the recording ends, so the recording must outlast the test.
        played = recording(touches // 5, delay=DELAY, rest=3600)
        daemon = Daemon(played, hostile.CONFIGURATION)
        self.addCleanup(daemon.close)
        return daemon

    def test_two_users_without_a_role_cannot_lock_an_app_out(self):
        for counts in self.connect_among(("idle",) * 40):
            # The users really did try to lock the app out.
            self.assertGreater(counts["idle", "TooManyClients"], 20)

    def connect_among(self, kinds):
        """Checks that users with a role can connect while two users without a role run clients of these kinds. Returns
        the counts of the users without a role."""
        daemon = self.start(5 * SECONDS)
        users = [hostile.start(hostile.hostile_user, daemon.socket, hostile.FIRST_HOSTILE + number, kinds)
                 for number in range(2)]
        time.sleep(1)
        for role, method, parameters in (("app", "SetScreen", {"name": "menu"}), ("read", "GetStatus", {})):
            process, pipe = hostile.start(connect, daemon.socket, role, method, parameters)
            self.assertEqual(pipe.recv(), ["answered"] * 20)
            process.join()
        found = []
        for process, pipe in users:
            pipe.send("end")
            found.append(pipe.recv())
            process.kill()
            process.join()
        return found

    def test_among_64_hostile_connections_names_are_in_time_and_masks_hold(self):
        touches = 5 * SECONDS
        daemon = self.start(touches)
        pulse = Pulse()
        self.addCleanup(pulse.close)
        found = hostile.besiege(daemon.socket, touches, SECONDS + DELAY, before=1)
        print(f"strangers: {found}")
        if found["errors"]:
            pulse.check([at for at, _, _ in found["errors"]], 2_000_000)
        self.assertEqual(found["errors"], [])
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
        connection = hostile.Connection(path)
        reply = connection.call(method, **parameters)
        outcomes.append("nothing" if reply is None else reply.get("error", "answered"))
        connection.close()
    pipe.send(outcomes)


def look(pipe, path):
    """Sends the error that an idle connection receives, or None if it is closed without one."""
    hostile.become(hostile.FIRST_HOSTILE)
    reply = hostile.Connection(path).read()
    pipe.send(reply and reply["error"])


if __name__ == "__main__":
    unittest.main()
