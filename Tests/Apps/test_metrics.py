"""docs/metrics.md: what `touchgrid metrics` prints is OpenMetrics, node_exporter takes it over,
Prometheus raises the alerts (by promtool), and these and the dashboard use metrics that exist."""

import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.request

from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from support import demonstration
from touchgrid_test.report_store import replayed, run, swiped
from touchgrid_test.waiting import BINARIES, ROOT, free_port, until

EXAMPLES = ROOT / "examples/metrics"


def get(address):
    """Returns the page; None while the server does not answer."""
    try:
        return urllib.request.urlopen(f"http://{address}", timeout=60).read().decode()
    except OSError:
        return None


def metrics(daemon, *options):
    return run("touchgrid", "metrics", "--socket", daemon.socket, *options).stdout.decode()


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = demonstration()
        cls.addClassCleanup(cls.daemon.close)
        cls.daemon.start()
        cls.daemon.is_touched()
        # The day appears with the first checkpoint.
        until(lambda: cls.daemon.call("ListDays")["days"], "a day in the store")

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="touchgrid-metrics.")
        self.addCleanup(shutil.rmtree, self.folder)

    def test_the_text_is_openmetrics_and_every_metric_is_in_the_documentation(self):
        page = (ROOT / "docs/metrics.md").read_text()
        listed = set(re.findall(r"^\| `(touchgrid_\w+)`", page, re.MULTILINE))
        # The parser refuses what the format forbids.
        families = list(text_string_to_metric_families(metrics(self.daemon)))
        samples = {sample.name for family in families for sample in family.samples}
        self.assertEqual([family.name for family in families if not family.documentation], [])
        # The touchscreen of a recording is never silent, and the kernel does not know it.
        of_panels = {name for name in listed if name.startswith("touchgrid_panel_")}
        self.assertEqual(listed - samples - of_panels,
                         {"touchgrid_device_silence_seconds", "touchgrid_device_unheard_contacts"})
        self.assertEqual(samples - listed, set())

    def test_node_exporter_takes_the_file_over(self):
        # As docs/metrics.md says: the folder has a link to the file.
        written = pathlib.Path(self.folder, "state/touchgrid.prom")
        written.parent.mkdir()
        metrics(self.daemon, "-o", written)
        os.utime(written, (0, 1_700_000_000))
        pathlib.Path(self.folder, "touchgrid.prom").symlink_to(written)
        address = f"127.0.0.1:{free_port()}"
        exporter = subprocess.Popen(
            ["prometheus-node-exporter", f"--web.listen-address={address}", "--collector.disable-defaults",
             "--collector.textfile", f"--collector.textfile.directory={self.folder}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(exporter.wait)
        self.addCleanup(exporter.kill)
        text = until(lambda: get(address + "/metrics"), "node_exporter answers")
        self.assertRegex(text, r"(?m)^node_textfile_scrape_error 0$")
        self.assertIn(f'node_textfile_mtime_seconds{{file="{self.folder}/touchgrid.prom"}} 1.7e+09', text)
        ours = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("touchgrid_"))
        for line in written.read_text().splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                self.assertEqual(float(ours[name]), float(value), name)

    def test_metrics_of_panels_have_their_faults_and_are_in_the_documentation(self):
        listed = set(re.findall(r"^\| `(touchgrid_panel_\w+)`", (ROOT / "docs/metrics.md").read_text(), re.MULTILINE))
        for broken, wanted in ((0, []), (5, [("line", 1)])):
            folder = f"{self.folder}/{broken}"
            os.mkdir(folder)
            store = replayed(folder, swiped(folder, "swipes", days=35, broken=broken))
            done = subprocess.run([BINARIES / "touchgrid", "panel", "--store", store, "--metrics", folder + "/text"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 1 if broken else 0, done.stdout + done.stderr)
            families = text_string_to_metric_families(pathlib.Path(folder, "text").read_text())
            samples = [sample for family in families for sample in family.samples]
            self.assertEqual({sample.name for sample in samples}, listed)
            self.assertEqual([(sample.labels["kind"], sample.value) for sample in samples
                              if sample.name == "touchgrid_panel_faults" and sample.value], wanted)

    def test_alerts_and_dashboard_use_metrics_that_exist(self):
        page = (ROOT / "docs/metrics.md").read_text()
        listed = set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE))
        for file in ("touchgrid-alerts.yml", "touchgrid-grafana.json"):
            used = set(re.findall(r"\b(touchgrid_\w+)", (EXAMPLES / file).read_text()))
            self.assertGreater(len(used), 8, file)
            self.assertEqual(used - listed, set(), file)


class Alerts(unittest.TestCase):
    def test_every_alert_is_in_the_documentation(self):
        names = re.findall(r"- alert: (\w+)", (EXAMPLES / "touchgrid-alerts.yml").read_text())
        page = (ROOT / "docs/metrics.md").read_text()
        self.assertEqual([name for name in names if f"`{name}`" not in page], [])

    def test_they_fire_when_they_should(self):
        done = subprocess.run(["promtool", "test", "rules", "touchgrid-alerts-test.yml"], capture_output=True,
                              text=True, cwd=EXAMPLES)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


def lost(given, kept, place=""):
    """Returns the places of what is in one JSON value but not in the other."""
    if isinstance(given, dict) and isinstance(kept, dict):
        return [one for name, value in given.items() if value is not None
                for one in (lost(value, kept[name], f"{place}.{name}") if name in kept else [f"{place}.{name}"])]
    if isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        return [one for number, pair in enumerate(zip(given, kept)) for one in lost(*pair, f"{place}[{number}]")]
    return [] if given == kept else [place]


class Dashboards(unittest.TestCase):
    """Grafana's own types, which are made from its schema, keep only what the schema has."""

    @classmethod
    def setUpClass(cls):
        plugins.register_default_plugins()
        cls.dashboard = json.loads((EXAMPLES / "touchgrid-grafana.json").read_text())

    @staticmethod
    def foreign(dashboard):
        kept = JSONEncoder(sort_keys=True).encode(Dashboard.from_json(copy.deepcopy(dashboard)))
        return lost(dashboard, json.loads(kept))

    def test_the_schema_has_every_member(self):
        self.assertEqual(self.foreign(self.dashboard), [])

    def test_panels_do_not_overlap(self):
        places = [panel["gridPos"] for panel in self.dashboard["panels"]]
        cells = [(x, y) for place in places for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])]
        self.assertEqual(len(cells), len(set(cells)))
        self.assertLessEqual(max(x for x, _ in cells), 23)
