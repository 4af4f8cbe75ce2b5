"""An X server without a screen, and clients of it. The tests read its framebuffer."""

import os
import struct

import numpy

from desktop import BACKGROUND, Desktop, Output
from touchgrid_test.waiting import until


class Xvfb(Desktop):
    def __init__(self, person, width=800, height=480):
        super().__init__(person, [Output("screen", width, height)])
        self.width, self.height = width, height
        memory = person.runtime + "/memory"
        os.mkdir(memory)
        person.own()
        numbers, end = os.pipe()
        self.program = person.program(
            "Xvfb", "-displayfd", str(end), "-screen", "0", f"{width}x{height}x24", "-fbdir", memory, "-nolisten",
            "tcp", "-ac", "-noreset", "-s", "0", pass_fds=[end])
        os.close(end)
        with open(numbers, "rb") as file:
            number = file.readline().decode().strip()
        assert number, self.program.said
        person.environment["DISPLAY"] = ":" + number
        self.memory = numpy.memmap(memory + "/Xvfb_screen0", mode="r")

    def picture(self, output=None):
        """Reads the framebuffer. It is in XWD format: a header of 4-byte numbers, colours, then
        rows of pixels."""
        data = self.memory
        head = struct.unpack(">25I", data[:100].tobytes())
        size, width, height, order, bits, line, colours = (head[index] for index in (0, 4, 5, 7, 11, 12, 19))
        assert (bits, order) == (32, 0), head
        start = size + 12 * colours
        rows = numpy.array(data[start : start + height * line]).reshape(height, line)
        return rows[:, : 4 * width].reshape(height, width, 4)[:, :, 2::-1]

    def window(self, colour=BACKGROUND, name="app"):
        """Opens a window of one colour, as large as the screen."""
        program = self.person.program("xlogo", "-bg", colour, "-fg", colour, "-geometry",
                                      f"{self.width}x{self.height}+0+0", "-bw", "0", "-title", name, name=name)
        wanted = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]

        def shown():
            assert program.process.poll() is None, program.said
            # A bubble may lie above the window.
            return (self.picture() == wanted).all(axis=2).mean() > 0.8

        until(shown, f"the window {name}")
        return program

    def film(self, seconds):
        """Returns an array of the frames that a screen recorder captures, 30 a second."""
        pixels = self.person.run(
            "ffmpeg", "-loglevel", "error", "-f", "x11grab", "-framerate", "30", "-draw_mouse", "0", "-video_size",
            f"{self.width}x{self.height}", "-i", self.person.environment["DISPLAY"], "-t", str(seconds), "-f", "rawvideo",
            "-pix_fmt", "rgb24", "-")
        return numpy.frombuffer(pixels, numpy.uint8).reshape(-1, self.height, self.width, 3)

    def xdotool(self, *words):
        return self.person.run("xdotool", *map(str, words)).decode()

    def window_manager(self):
        program = self.person.program("openbox", "--sm-disable", name="openbox")
        until(lambda: "_NET_ACTIVE_WINDOW" in self.person.run("xprop", "-root").decode(), "openbox")
        return program

    def picom(self):
        program = self.person.program("picom", "--config", "/dev/null", "--backend", "xrender", name="picom")
        until(lambda: program.process.poll() is not None or '"picom"' in self.windows(), "picom")
        assert program.process.poll() is None, program.said
        return program

    def windows(self):
        """Returns xwininfo's list of all windows as text. Repeats the query if it fails because a
        window closes meanwhile."""
        def answer():
            try:
                return self.person.run("xwininfo", "-root", "-tree").decode()
            except AssertionError:
                return None

        return until(answer, "a list of windows")
