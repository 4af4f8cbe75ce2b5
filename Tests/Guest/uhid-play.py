#!/usr/bin/env python3
"""Plays a recording made by hid-recorder as a HID device of the kernel (/dev/uhid).

Prints the path of the event node once udev has processed it, waits for a line (or the end) of
standard input, plays the reports at the pace of the recording, and removes the device.
If the file has several devices, it plays the first one. Struct layouts: linux/uhid.h.

Prints how late reports came. Ends with 75 (EX_TEMPFAIL) if a pause became so long that the kernel
may have lifted the fingers by itself: the result of such a run is void.
"""
import argparse
import errno
import glob
import os
import struct
import subprocess
import sys
import threading
import time

DESTROY, GET_REPORT, GET_REPORT_REPLY, CREATE2, INPUT2, SET_REPORT, SET_REPORT_REPLY = (
    1, 9, 10, 11, 12, 13, 14)
LARGEST_EVENT = 4380
# MT_QUIRK_STICKY_FINGERS of hid-multitouch: the kernel lifts all fingers after this time without a
# report, in seconds.
STICKY = 0.1
HID_DEVICES = "/sys/devices/virtual/misc/uhid"


class Recording:
    def __init__(self, path):
        self.name, self.phys, self.ids, self.descriptor, self.reports = "", "", None, b"", []
        for line in open(path, encoding="utf-8", errors="replace"):
            key, _, value = line.rstrip("\n").partition(":")
            words = value.split()
            if key == "D" and words != ["0"]:
                break
            if key == "R":
                self.descriptor = bytes.fromhex("".join(words[1:]))
            elif key == "N":
                self.name = value.strip()
            elif key == "P":
                self.phys = value.strip()
            elif key == "I":
                self.ids = [int(word, 16) for word in words[:3]]
            elif key == "E":
                self.reports.append((float(words[0]), bytes.fromhex("".join(words[2:]))))
        if not self.descriptor or self.ids is None:
            sys.exit(f"{path}: no report descriptor (R:) or no ids (I:)")


class Device:
    def __init__(self, recording):
        before = set(glob.glob(HID_DEVICES + "/*"))
        self.fd = os.open("/dev/uhid", os.O_RDWR)
        # The driver asks while it starts, and the kernel waits 5 s for each answer.
        threading.Thread(target=self.answer, daemon=True).start()
        self.send(CREATE2, struct.pack(
            "<128s64s64sHHIIII", recording.name.encode()[:127], recording.phys.encode()[:63], b"",
            len(recording.descriptor), *recording.ids, 0, 0) + recording.descriptor)
        self.node = self.settled_node(before)

    def send(self, kind, payload=b""):
        os.write(self.fd, struct.pack("<I", kind) + payload)

    def answer(self):
        """Answers the kernel's requests. No recording holds feature reports, so reading one
        fails. hid-multitouch then takes the maximum number of
        contacts from the range in the descriptor. It fetches the Windows 8 blob but never looks
        at it. Writing succeeds, as on the device: the driver sets the input mode that way."""
        while True:
            try:
                event = os.read(self.fd, LARGEST_EVENT)
            except OSError:
                return
            kind, request = struct.unpack_from("<II", event)
            if kind == GET_REPORT:
                self.send(GET_REPORT_REPLY, struct.pack("<IHH", request, errno.EIO, 0))
            elif kind == SET_REPORT:
                self.send(SET_REPORT_REPLY, struct.pack("<IH", request, 0))

    def settled_node(self, before):
        """Returns the touchscreen among the input nodes (a panel often has a mouse and a pen
        too), or the first node. Nodes appear one by one: they are complete when two looks agree."""
        deadline, last = time.monotonic() + 30, []
        while time.monotonic() < deadline:
            time.sleep(0.1)
            subprocess.run(["udevadm", "settle"], check=True)
            nodes = []
            for device in set(glob.glob(HID_DEVICES + "/*")) - before:
                nodes += glob.glob(device + "/input/input*/event*")
            nodes.sort(key=lambda path: int(path.rpartition("event")[2]))
            if nodes and nodes == last:
                return next(filter(is_touchscreen, map(node_path, nodes)), node_path(nodes[0]))
            last = nodes
        sys.exit("the kernel made no input device of it")


def node_path(path):
    return "/dev/input/" + os.path.basename(path)


def is_touchscreen(node):
    properties = subprocess.run(["udevadm", "info", "-q", "property", node],
                                check=True, capture_output=True, text=True).stdout
    return "ID_INPUT_TOUCHSCREEN=1\n" in properties


def play(device, reports, max_pause):
    """Plays the reports. Returns the longest pause among those that the recording wants shorter
    than STICKY. It is measured from before a report is written until after the next one is, so
    the kernel saw no longer pause."""
    due, previous, begun, longest = time.monotonic(), reports[0][0] if reports else 0, None, 0
    for at, report in reports:
        # If several recordings were joined into one, times may go back.
        wanted = min(max(at - previous, 0), max_pause)
        due += wanted
        previous = at
        time.sleep(max(due - time.monotonic(), 0))
        last, begun = begun, time.monotonic()
        device.send(INPUT2, struct.pack("<H", len(report)) + report)
        if last is not None and wanted < STICKY:
            longest = max(longest, time.monotonic() - last)
    return longest


def be_punctual():
    """Gives this process real-time priority: emulation is slow enough without other processes
    ahead of it."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except PermissionError:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", metavar="FILE.hid")
    parser.add_argument("--max-pause", type=float, default=float("inf"), metavar="S",
                        help="cut longer pauses of the recording to S seconds")
    parser.add_argument("--hold", type=float, default=0.5, metavar="S",
                        help="keep the device for S seconds after the last report (0.5): what a"
                             " reader has not read when it goes is lost to it")
    options = parser.parse_args()

    recording = Recording(options.file)
    device = Device(recording)
    print(device.node, flush=True)
    sys.stdin.readline()
    be_punctual()
    longest = play(device, recording.reports, options.max_pause)
    time.sleep(options.hold)
    device.send(DESTROY)
    if longest >= STICKY:
        print(f"late: {longest * 1000:.0f} ms between two reports", flush=True)
        sys.exit(os.EX_TEMPFAIL)


main()
