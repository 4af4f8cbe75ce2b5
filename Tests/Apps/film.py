"""The track of fingers, and a video with the track's subtitles burnt in."""

import json
import os
import signal
import subprocess

import numpy

from touchgrid_test.daemon import Daemon
from touchgrid_test.waiting import BINARIES, PATIENCE, until


class Shooting:
    """A daemon that plays fingers while `touchgrid track` writes a track."""

    def __init__(self, configuration, *options):
        self.daemon = Daemon(configuration)
        self.folder, self.track, self.options = self.daemon.folder, self.daemon.folder + "/demo.track", options
        self.recorder = None

    def start_recorder(self):
        self.recorder = subprocess.Popen(
            [BINARIES / "touchgrid", "track", "--socket", self.daemon.socket, "-o", self.track, *self.options],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        until(lambda: os.path.exists(self.track), "the track")

    def lines(self):
        with open(self.track) as file:
            return [json.loads(line) for line in file.read().splitlines(keepends=True)
                    if line.endswith("\n")]

    def phases(self):
        return [touch["phase"] for line in self.lines()[1:] for touch in line["touches"]]

    def end_recorder(self, number=signal.SIGINT):
        self.recorder.send_signal(number)
        said = self.recorder.communicate(timeout=PATIENCE)[1]
        status, self.recorder = self.recorder.returncode, None
        return status, said

    def shoot(self, fingers, moves):
        """Records until the finger has moved `moves` times and is up again. Returns the exit status and the error
        output of `touchgrid track`."""
        self.daemon.start(fingers)
        self.start_recorder()
        until(lambda: self.phases().count("moved") >= moves and self.phases()[-1] == "ended", "the touches")
        return self.end_recorder()

    def touch_downs(self):
        """Returns the times of the touch-downs, in seconds since the track's start."""
        return [line["atUs"] / 1e6 for line in self.lines()[1:]
                if any(touch["phase"] == "began" for touch in line["touches"])]

    def subtitles(self, *options):
        path = self.folder + "/touches.ass"
        subprocess.run([BINARIES / "touchgrid", "subtitles", self.track, "-o", path, *options], check=True)
        return path

    def close(self):
        if self.recorder:
            self.recorder.kill()
            self.recorder.communicate()
        self.daemon.close()


def ffmpeg(*arguments, **options):
    return subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments], check=True, **options)


class Video:
    """A moving test picture, darker than a bubble and brighter than its ring."""

    def __init__(self, folder, width, height, rate, seconds):
        self.folder, self.width, self.height, self.rate = folder, width, height, rate
        self.path = f"{folder}/demo-{rate}.mkv"
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={width}x{height}:rate={rate}:duration={seconds}",
               "-vf", "lutyuv=y=88+val/6", "-pix_fmt", "yuv420p", "-c:v", "ffv1", self.path)

    def burnt(self, subtitles):
        out = f"{self.folder}/out-{self.rate}.mkv"
        ffmpeg("-i", self.path, "-vf", f"ass={subtitles}", "-c:v", "ffv1", out)
        return out

    def frames(self, path):
        """Yields each frame as an array of brightness."""
        size = self.width * self.height
        with subprocess.Popen(
                ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"],
                stdout=subprocess.PIPE) as decoder:
            while len(frame := decoder.stdout.read(size)) == size:
                yield numpy.frombuffer(frame, numpy.uint8).reshape(self.height, self.width)

    def differences(self, subtitles):
        """Yields for each frame how the subtitles change the brightness of its pixels."""
        for before, after in zip(self.frames(self.path), self.frames(self.burnt(subtitles))):
            yield after.astype(int) - before


def middle(difference):
    """Returns the centre of the changed pixels and their larger extent, or None if no pixel
    changed."""
    rows, columns = numpy.nonzero(abs(difference) > 6)
    if not len(rows):
        return None
    extent = max(columns.max() - columns.min(), rows.max() - rows.min()) + 1
    return (columns.mean() + 0.5, rows.mean() + 0.5), extent
