"""`kiosks` names those that are silent, late, on an old version, or sent bad objects."""

import datetime
import json
import os
import subprocess
import sys

from support import FleetTest, day_line

TODAY = datetime.datetime.now(datetime.timezone.utc).date()


def ago(days):
    return str(TODAY - datetime.timedelta(days))


class Kiosks(FleetTest):
    def put(self, kiosk, *days, **changed):
        for day in days:
            self.fleet.put([day_line(kiosk=kiosk, day=ago(day), **changed)])

    def setUp(self):
        super().setUp()
        self.put("well", 3, 2, 1)
        self.put("silent", 8, 7, 6)
        self.put("late", 4, 1)
        self.put("old", 3, 2, 1, version="0.3.9")
        self.put("restored", 3, 2)
        self.put("restored", 1, generation="b" * 16)
        self.put("bad", 3, 2, 1)
        self.fleet.put_bytes(f"in/bad/{'a' * 16}/{ago(1)}/r9.ndjson.gz", b"x")
        self.put("version-ten", 1, version="0.4.0")
        self.fleet.put_bytes("in/no\x1b[31mbody", b"x")
        self.fleet.put_bytes(f"in/bad/{'a' * 16}/9999-12-31/r1.ndjson.gz", b"x")
        self.fleet.put_bytes(
            "fleet.toml", b'[[kiosk]]\nname = "never"\ngroup = "north"\n[[kiosk]]\nname = "well"\n'
            b'group = "north"\n')
        self.assertEqual(self.fleet.roll_up()[0], 0)

    def test_json(self):
        status, output, _ = self.fleet.run("kiosks", "--json")
        found = json.loads(output)
        kiosks = {kiosk["name"]: kiosk for kiosk in found["kiosks"]}
        self.assertEqual({name: kiosk["problems"] for name, kiosk in kiosks.items()}, {
            "well": [], "silent": ["silent"], "late": ["late"], "old": ["old"], "restored": ["generations"],
            "bad": ["refused"], "version-ten": [], "never": ["silent"]})
        self.assertEqual(kiosks["late"]["missing"], [ago(3), ago(2)])
        self.assertEqual((kiosks["silent"]["firstDay"], kiosks["silent"]["lastDay"]), (ago(8), ago(6)))
        self.assertEqual(len(kiosks["bad"]["refused"]), 2)
        self.assertEqual([refused["object"] for refused in found["otherRefused"]], [r"in/no\x1b[31mbody"])
        self.assertEqual(status, 3)

    def test_table(self):
        status, output, _ = self.fleet.run("kiosks")
        self.assertEqual(status, 3)
        self.assertTrue(
            all(len(line) <= 80 for line in output.splitlines() if not line.startswith("refused")), output)
        self.assertRegex(output, rf"(?m)^late +{ago(1)} +2 0.4.0 +late$")
        self.assertRegex(output, r"(?m)^never +never +0 - +silent$")
        self.assertNotRegex(output, "(?m)^well ")
        self.assertNotIn("\x1b", output)
        self.assertIn(
            "8 kiosks: 2 silent, 1 late, 1 on an old version, 1 with several generations, 1 with refused "
            "objects, 1 refused object of no kiosk", output.replace("\n", " "))

    def test_closed_output(self):
        """There is no error message if nobody reads the output, as in `touchgrid-fleet kiosks | true`."""
        reader, writer = os.pipe()
        os.close(reader)
        ran = subprocess.run([sys.executable, "-m", "touchgrid_fleet", "kiosks", self.fleet.root],
                             stdout=writer, stderr=subprocess.PIPE, text=True)
        os.close(writer)
        self.assertEqual((ran.returncode, ran.stderr), (1, ""))

    def test_version_order(self):
        """0.10 is newer than 0.9."""
        self.put("version-ten", 0, version="0.10.0")
        self.fleet.roll_up()
        problems = {kiosk["name"]: kiosk["problems"]
                    for kiosk in json.loads(self.fleet.run("kiosks", "--json")[1])["kiosks"]}
        self.assertEqual((problems["version-ten"], problems["well"]), ([], ["old"]))

    def test_choice_and_status(self):
        self.fleet.place.delete("in/no\x1b[31mbody")
        self.fleet.roll_up()
        self.assertEqual(self.fleet.run("kiosks", "--kiosk", "well")[0::2], (0, ""))
        self.assertEqual(self.fleet.run("kiosks", "--group", "north", "--all")[0], 3)
        self.assertEqual(self.fleet.run("kiosks", "--kiosk", "silent", "--silent", 6)[0], 0)
        self.assertEqual(self.fleet.run("kiosks", "--kiosk", "silent", "--silent", 5)[0], 3)
        status, _, log = self.fleet.run("kiosks", "--until", "2020-01-01")
        self.assertEqual((status, log.count("\n")), (1, 1))
