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


def contact_count_maximum(descriptor):
    """Finds the feature report with the maximum number of contacts. Returns its id and the number
    of bytes between the id and the maximum, or None if there is no such report. Items: Device Class
    Definition for HID 1.11, 6.2.2."""
    page = size = count = report = at = 0
    usages, bits = [], {}
    while at < len(descriptor):
        prefix = descriptor[at]
        length = (0, 1, 2, 4)[prefix & 3]
        value = int.from_bytes(descriptor[at + 1:at + 1 + length], "little")
        at += 1 + length
        item = prefix & 0xFC
        if item == 0x04:
            page = value
        elif item == 0x74:
            size = value
        elif item == 0x84:
            report = value
        elif item == 0x94:
            count = value
        elif item == 0x08:
            usages.append((page, value))
        elif item == 0xB0:
            if (0x0D, 0x55) in usages:
                place = min(usages.index((0x0D, 0x55)), count - 1)
                return report, (bits.get(report, 0) + place * size) // 8
            bits[report] = bits.get(report, 0) + size * count
        if item in (0x80, 0x90, 0xA0, 0xB0, 0xC0):
            usages = []
    return None


class Device:
    def __init__(self, name, phys, uniq, ids, descriptor, contacts):
        self.features = {}
        if contacts is not None:
            report, offset = contact_count_maximum(descriptor) or sys.exit(
                "--contacts: the descriptor has no contact count maximum")
            self.features[report] = bytes([report] + [0] * offset + [contacts])
        before = set(glob.glob(HID_DEVICES + "/*"))
        self.fd = os.open("/dev/uhid", os.O_RDWR)
        # The driver asks while it starts, and the kernel waits 5 s for each answer.
        threading.Thread(target=self.answer, daemon=True).start()
        self.send(CREATE2, struct.pack(
            "<128s64s64sHHIIII", name.encode()[:127], phys.encode()[:63], uniq.encode()[:63],
            len(descriptor), *ids, 0, 0) + descriptor)
        self.node = self.settled_node(before, uniq)

    def send(self, kind, payload=b""):
        os.write(self.fd, struct.pack("<I", kind) + payload)

    def answer(self):
        """Answers the kernel's requests. No recording holds feature reports, so reading one
        fails unless --contacts gives it. hid-multitouch then takes the maximum number of
        contacts from the range in the descriptor. It fetches the Windows 8 blob but never looks
        at it. Writing succeeds, as on the device: the driver sets the input mode that way."""
        while True:
            try:
                event = os.read(self.fd, LARGEST_EVENT)
            except OSError:
                return
            kind, request = struct.unpack_from("<II", event)
            if kind == GET_REPORT:
                data = self.features.get(event[8], b"")
                error = 0 if data else errno.EIO
                self.send(GET_REPORT_REPLY, struct.pack("<IHH", request, error, len(data)) + data)
            elif kind == SET_REPORT:
                self.send(SET_REPORT_REPLY, struct.pack("<IH", request, 0))

    def settled_node(self, before, uniq):
        """Returns the touchscreen among the input nodes (a panel often has a mouse and a pen
        too), or the first node. Nodes appear one by one: they are complete when two looks agree."""
        deadline, last = time.monotonic() + 30, []
        while time.monotonic() < deadline:
            time.sleep(0.1)
            subprocess.run(["udevadm", "settle"], check=True)
            nodes = []
            for device in set(glob.glob(HID_DEVICES + "/*")) - before:
                if f"HID_UNIQ={uniq}\n" in open(device + "/uevent", encoding="utf-8").read():
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
    parser.add_argument("--start-after", type=float, metavar="S",
                        help="begin after S seconds instead of waiting for a line")
    parser.add_argument("--hold", type=float, default=0.5, metavar="S",
                        help="keep the device for S seconds after the last report (0.5): what a"
                             " reader has not read when it goes is lost to it")
    parser.add_argument("--contacts", type=int, metavar="N",
                        help="the device says that it follows N contacts; without it the"
                             " descriptor's range decides, which is wrong on a few panels")
    parser.add_argument("--name")
    parser.add_argument("--phys")
    parser.add_argument("--uniq", default="")
    options = parser.parse_args()

    recording = Recording(options.file)
    device = Device(
        recording.name if options.name is None else options.name,
        recording.phys if options.phys is None else options.phys,
        options.uniq, recording.ids, recording.descriptor, options.contacts)
    print(device.node, flush=True)
    if options.start_after is None:
        sys.stdin.readline()
    else:
        time.sleep(options.start_after)
    be_punctual()
    longest = play(device, recording.reports, options.max_pause)
    time.sleep(options.hold)
    device.send(DESTROY)
    if longest >= STICKY:
        print(f"late: {longest * 1000:.0f} ms between two reports", flush=True)
        sys.exit(os.EX_TEMPFAIL)


main()
