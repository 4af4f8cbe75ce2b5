"""Bubbles that `touchgrid track`, `touchgrid subtitles` and ffmpeg draw into a film lie where the
fingers were."""

import signal
import sys
import unittest

from film import Shooting, Video, middle
from touchgrid_test.daemon import panels
from touchgrid_test.fingers import Fingers
from touchgrid_test.waiting import until

PANEL, WIDTH, HEIGHT = "Film panel", 1280, 720
# The seconds that the recorder has to start, and of the film.
LEAD, SECONDS = 8, 4.5
HZ = 120
FADE, SHORTEST = 0.25, 0.15


def script():
    """A tap of 3 ms, a press and a swipe."""
    def at(x, y):
        return x / WIDTH, y / HEIGHT

    fingers = Fingers(PANEL).wait(LEAD).tap(PANEL, at(320, 180), 0.003).wait(0.697)
    fingers.tap(PANEL, at(900, 500), 0.5).wait(0.6).down(PANEL, [at(200, 600)])
    for step in range(1, HZ + 1):
        fingers.wait(1 / HZ).move(PANEL, [at(200 + step * 8, 600 - step * 4)])
    return fingers.wait(0.1).up(PANEL)


def expected(time):
    """Returns the place and the opacity of the bubble, or None if there is none. `time` is in
    seconds since the first touch-down."""
    for began, lifted, point in (
            (0, 0.003, (320, 180)), (0.7, 1.2, (900, 500)), (1.8, 2.9, None)):
        fades = max(lifted, began + SHORTEST)
        if began - 1e-6 <= time < fades + FADE:
            if point is None:
                part = min(1, max(0, time - 1.8))
                point = (200 + part * 8 * HZ, 600 - part * 4 * HZ)
            return point, 1 - max(0, time - fades) / FADE
    return None


class FilmTest(unittest.TestCase):
    def setUp(self):
        self.shooting = Shooting(panels({PANEL: {"name": "screen", "width": WIDTH, "height": HEIGHT}}))
        self.addCleanup(self.shooting.close)

    def check(self, rate, start, size, scale=1):
        """Checks that each frame shows the expected bubbles. The first touch-down is at `start` seconds of the
        video."""
        video = Video(self.shooting.folder, *size, rate, SECONDS)
        offset = start - self.shooting.touch_downs()[0]
        subtitles = self.shooting.subtitles("--size", f"{size[0]}x{size[1]}", "--offset", f"{offset:.6f}s")
        seen, farthest, frame = 0, 0, 1 / rate
        for index, difference in enumerate(video.differences(subtitles)):
            time = index * frame - start
            found, here = middle(difference), expected(time)
            around = [expected(time - frame), here, expected(time + frame)]
            if found is None:
                self.assertTrue(any(each is None or each[1] < 0.1 for each in around), f"nothing at {time}")
                continue
            points = [each[0] for each in ([here] if here else around) if each]
            self.assertTrue(points, f"a bubble at {time}")
            (x, y), extent = found
            distance = min(((x - px * scale) ** 2 + (y - py * scale) ** 2) ** 0.5 for px, py in points)
            if here and here[1] < 0.1:
                # Only parts of such a faint bubble are visible.
                self.assertLess(distance, 22 * scale)
                continue
            farthest = max(farthest, distance)
            self.assertLess(distance, 1, f"{x}, {y} at {time}, not {points}")
            if here and here[1] > 0.5:
                self.assertAlmostEqual(extent, 44 * scale, delta=1.5)
                seen += 1
        print(f"{rate} frames a second: at most {farthest:.2f} px beside the finger", file=sys.stderr)
        self.assertEqual(index + 1, rate * SECONDS)
        self.assertGreater(seen, 1.5 * rate)

    def test_bubbles_lie_where_the_fingers_were_at_60_and_30_frames_a_second(self):
        status, said = self.shooting.shoot(script(), HZ)
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"^touchgrid: wrote 3 touches in \d+\.\d s to .*demo\.track\n$")
        self.check(60, 1.0, (WIDTH, HEIGHT))
        # The video has half the size, and the swipe begins between two frames.
        self.check(30, 0.51, (WIDTH // 2, HEIGHT // 2), scale=0.5)

    def test_a_track_survives_a_killed_daemon_and_a_killed_recorder(self):
        shooting, finger = self.shooting, Fingers(PANEL).down(PANEL, [(0.5, 0.5)])
        shooting.daemon.start(finger)
        shooting.start_recorder()
        until(shooting.phases, "a touch")
        shooting.daemon.kill()
        until(lambda: shooting.phases()[-1] == "cancelled", "the end of the touch")
        self.assertEqual(shooting.lines()[-1]["touches"][0]["cancellation"], "lost")
        shooting.daemon.start(finger)
        until(lambda: shooting.phases()[-1] != "cancelled", "the touch of the new daemon")
        status, said = shooting.end_recorder(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        self.assertIn("the track continues when the daemon is back", said)
        self.assertIn("the daemon is back", said)
        times = [line["atUs"] for line in shooting.lines()[1:]]
        self.assertEqual(times, sorted(times))
        with open(shooting.subtitles("--size", f"{WIDTH}x{HEIGHT}")) as text:
            self.assertIn("Dialogue: ", text.read())
