"""Bubbles that `touchgrid track`, `touchgrid subtitles` and ffmpeg draw into a film lie where the
fingers were."""

import os
import signal
import subprocess
import sys
import unittest

from film import Panel, Shooting, Video, middle
from support import BINARIES, until

DISPLAY = """[[display]]
name = "screen"
width = {width}
height = {height}
scale = {scale}
rotation = {rotation}
"""
FIRST, SECONDS = 2.0, 4.5
HZ = 120
FADE, SHORTEST = 0.25, 0.15


def script(width, height, place):
    """A tap of 3 ms, a press and a swipe. `place` maps a point of the picture to the panel."""
    panel = Panel(width, height)
    # The daemon starts to play a recording at its first event, before the test watches. This touch
    # is that event. The touches under test begin at FIRST.
    panel.land(0, 5, 5)
    panel.lift(0.05)
    panel.land(FIRST, *place(320, 180))
    panel.lift(FIRST + 0.003)
    panel.land(FIRST + 0.7, *place(900, 500))
    panel.lift(FIRST + 1.2)
    panel.land(FIRST + 1.8, *place(200, 600))
    for step in range(1, HZ + 1):
        panel.move(FIRST + 1.8 + step / HZ, *place(200 + step * 8, 600 - step * 4))
    panel.lift(FIRST + 2.9)
    # The daemon exits when the recording ends, so a late touch keeps it running.
    panel.land(FIRST + 8, *place(10, 10))
    return panel


def expected(time):
    """Returns the place and the opacity of the bubble, or None if there is none. `time` is in
    seconds since the first touch-down under test."""
    for began, lifted, point in (
            (0, 0.003, (320, 180)), (0.7, 1.2, (900, 500)), (1.8, 2.9, None)):
        fades = max(lifted, began + SHORTEST)
        if began - 1e-6 <= time < fades + FADE:
            if point is None:
                part = min(1, max(0, time - 1.8))
                point = (200 + part * 8 * HZ, 600 - part * 4 * HZ)
            return point, 1 - max(0, time - fades) / FADE
    return None


def text_of(path):
    with open(path) as file:
        return file.read()


class FilmTest(unittest.TestCase):
    def shooting(self, panel, *options, width=1280, height=720, scale=1.0, rotation=0, masks=""):
        configuration = DISPLAY.format(width=width, height=height, scale=scale, rotation=rotation) + masks
        shooting = Shooting(panel, configuration, *options)
        self.addCleanup(shooting.close)
        return shooting

    def check(self, shooting, rate, start, size, *options, scale=1):
        """Checks that each frame shows the expected bubbles. The first touch-down under test is
        at `start` seconds of the video."""
        video = Video(shooting.folder, *size, rate, SECONDS)
        offset = start - shooting.touch_downs()[-3]
        subtitles = shooting.subtitles("--size", f"{size[0]}x{size[1]}", "--offset", f"{offset:.6f}s", *options)
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
        shooting = self.shooting(script(1280, 720, lambda x, y: (round(x), round(y))))
        status, said = shooting.shoot(HZ)
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"^touchgrid: wrote [34] touches in \d+\.\d s to .*demo\.track\n$")
        self.check(shooting, 60, 1.0, (1280, 720))
        # The video has half the size, and the swipe begins between two frames.
        self.check(shooting, 30, 0.51, (640, 360), scale=0.5)

    def test_a_track_survives_a_killed_daemon_and_a_killed_recorder(self):
        shooting = self.shooting(script(1280, 720, lambda x, y: (round(x), round(y))))
        shooting.start_daemon()
        shooting.start_recorder()
        until(lambda: shooting.phases().count("moved") > 10, "a swipe")
        shooting.daemon.process.kill()
        shooting.daemon.process.wait()
        until(lambda: shooting.phases()[-1] == "cancelled", "the end of the touch")
        (lost,) = shooting.lines()[-1]["touches"]
        self.assertEqual(lost["cancellation"], "lost")
        before = len(shooting.lines())
        os.unlink(shooting.socket)
        shooting.start_daemon()
        until(lambda: shooting.phases().count("moved") > 100 and len(shooting.lines()) > before, "more")
        status, said = shooting.end_recorder(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        self.assertIn("the track continues when the daemon is back", said)
        self.assertIn("the daemon is back", said)
        times = [line["atUs"] for line in shooting.lines()[1:]]
        self.assertEqual(times, sorted(times))
        self.assertIn("Dialogue: ", text_of(shooting.subtitles("--size", "1280x720")))
        # Truncate the last line, as a full disk does.
        whole = os.path.getsize(shooting.track)
        os.truncate(shooting.track, whole - 9)
        made = subprocess.run(
            [BINARIES / "touchgrid", "subtitles", "-", "--size", "1280x720", "-o", "-"],
            input=text_of(shooting.track), capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("the last line is incomplete", made.stderr)


if __name__ == "__main__":
    unittest.main()
