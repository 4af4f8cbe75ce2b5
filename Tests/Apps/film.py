"""A scripted finger as a recording, the track of it, and a video with the track's subtitles
burnt in."""

import json
import os
import shutil
import signal
import subprocess
import tempfile

import numpy

from support import BINARIES, PATIENCE, until
from touchgridd import Daemon

HEAD = """# EVEMU 1.3
N: Film panel
I: 0006 1209 0001 0001
P: 02 00 00 00 00 00 00 00
B: 00 0b 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 00 00 00 00 00 00 00
B: 01 00 04 00 00 00 00 00 00
B: 03 03 00 00 00 00 80 60 02
A: 00 0 {x} 0 0 0
A: 01 0 {y} 0 0 0
A: 2f 0 9 0 0 0
A: 35 0 {x} 0 0 0
A: 36 0 {y} 0 0 0
A: 39 0 65535 0 0 0
"""


class Panel:
    """The events of one finger on a panel that has one position per pixel. Times are in seconds."""

    def __init__(self, width, height):
        self.lines = [HEAD.format(x=width - 1, y=height - 1)]
        self.tracking = 0

    def frame(self, time, *events):
        for kind, code, value in (*events, (0, 0, 0)):
            self.lines.append(f"E: {time:.6f} {kind:04x} {code:04x} {value:04d}\n")

    def land(self, time, x, y):
        self.tracking += 1
        self.frame(time, (3, 0x39, self.tracking), (3, 0x35, x), (3, 0x36, y), (1, 0x14a, 1),
                   (3, 0, x), (3, 1, y))

    def move(self, time, x, y):
        self.frame(time, (3, 0x35, x), (3, 0x36, y), (3, 0, x), (3, 1, y))

    def lift(self, time):
        self.frame(time, (3, 0x39, -1), (1, 0x14a, 0))

    def write(self, path):
        with open(path, "w") as file:
            file.writelines(self.lines)


class Shooting:
    """A daemon that plays the recording of a panel while `touchgrid track` writes a track."""

    def __init__(self, panel, configuration, *options):
        self.folder = tempfile.mkdtemp(prefix="touchgrid-film.")
        self.socket, self.track = self.folder + "/socket", self.folder + "/demo.track"
        panel.write(self.folder + "/panel.evemu")
        with open(self.folder + "/config.toml", "w") as file:
            file.write(configuration)
        self.options = options
        self.daemon = self.recorder = None

    def start_daemon(self):
        self.daemon = self.daemon or Daemon(self.folder)
        self.daemon.start(self.folder + "/config.toml", self.folder + "/panel.evemu")

    def start_recorder(self):
        self.recorder = subprocess.Popen(
            [BINARIES / "touchgrid", "track", "--socket", self.socket, "-o", self.track, *self.options],
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

    def shoot(self, moves, screens=()):
        """Records until the finger has moved `moves` times and is up again. Names the screens
        meanwhile. Returns the exit status and the error output of `touchgrid track`."""
        self.start_daemon()
        self.start_recorder()
        for screen in screens:
            until(lambda: self.phases().count("moved") >= moves / 4, "a swipe")
            subprocess.run([BINARIES / "touchgrid", "set-screen", screen, "--socket", self.socket], check=True)
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
        if self.daemon:
            self.daemon.close()
        shutil.rmtree(self.folder)


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

    def picture(self, video, seconds, path):
        ffmpeg("-ss", str(seconds), "-i", video, "-frames:v", "1", path)


def middle(difference):
    """Returns the centre of the changed pixels and their larger extent, or None if no pixel
    changed."""
    rows, columns = numpy.nonzero(abs(difference) > 6)
    if not len(rows):
        return None
    extent = max(columns.max() - columns.min(), rows.max() - rows.min()) + 1
    return (columns.mean() + 0.5, rows.mean() + 0.5), extent
