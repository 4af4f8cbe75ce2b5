"""Makes stores for reports by replaying recordings, and reads the data of a report as an analyst
does."""

import base64
import csv
import io
import json
import os
import re
import subprocess
import time
import zlib

from .waiting import BINARIES, ROOT

MONTH = ROOT / "Recordings/make-kiosk-month.py"
HOSTILE = {
    "welcome": "</script><img src=x onerror=\"hacked=1\"><script>hacked=1</script>",
    "menu": "\"quoted\" & 'quoted' <b>bold</b> --> ]]>",
    "catalogue": "תפריט ראשי / القائمة",
    "checkout/pay": "Ω" * 64,
    "advert": "../../../../etc/passwd",
}


def run(program, *arguments, **options):
    result = subprocess.run([BINARIES / program, *map(str, arguments)], capture_output=True, **options)
    assert result.returncode == 0, result.stderr.decode()
    return result


def last_saturday_evening():
    """Returns the time at which recordings end, in seconds since 1970. It is always a Saturday
    evening, because the number of visitors depends on the weekday and the hour."""
    now = int(time.time())
    monday = now - (now - 4 * 86400) % (7 * 86400)
    return monday - 2 * 86400 + 22 * 3600


def recorded(folder, name, days, visits, seed=1, renamed=()):
    """Writes a recording of visitors at a kiosk. `renamed` changes the names of its screens."""
    lines = subprocess.run(
        ["python3", "-B", MONTH, "--days", str(days), "--visits", str(visits), "--seed", str(seed),
         "--until", str(last_saturday_evening())], check=True, capture_output=True, text=True).stdout
    for old, new in dict(renamed).items():
        lines = re.sub(rf"(?m)^(# touchgrid-screen \S+) {re.escape(old)}$",
                       lambda match: f"{match[1]} {new}", lines)
    path = f"{folder}/{name}.evemu"
    with open(path, "w") as file:
        file.write(lines)
    return path


def swiped(folder, name, days, broken=0):
    """Writes a recording of fingers that swipe across the whole panel, on each of some days until
    the one on which recordings end. On the last days, `broken` of them, the vertical line 23 of 64
    senses nothing."""
    header = subprocess.run(["python3", "-B", MONTH, "--days", "0"], check=True, capture_output=True, text=True).stdout
    lines = [line for line in header.splitlines() if not line.startswith("# touchgrid-screen")]
    number = 0

    def frame(now, *values):
        lines.extend(f"E: {now:.6f} 0003 {code:04x} {value:04d}" for code, value in values)
        lines.append(f"E: {now:.6f} 0000 0000 0000")

    for day in reversed(range(days)):
        now = last_saturday_evening() - 10 * 3600 - day * 86400
        lines.append(f"# touchgrid-screen {now:.6f} menu")
        for swipe in range(24):
            number += 1
            now += 1
            # Each step is shorter than 3/4 of a line. 0x35 is the x axis, and 0x36 the y axis.
            (along, across), step = ((0x35, 0x36), 40) if swipe % 2 else ((0x36, 0x35), 60)
            frame(now, (0x39, number), (along, 0), (across, 150 * swipe + 200))
            for place in range(step, 4096, step):
                now += 0.01
                if along == 0x36 or day >= broken or place * 64 // 4096 != 23:
                    frame(now, (along, place))
            frame(now + 0.01, (0x39, -1))
    path = f"{folder}/{name}.evemu"
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return path


def replayed(folder, recording, geometry="", isDescribed=True):
    """Replays a recording into the folder's store. `geometry` adds lines to the display's
    configuration. Unless `isDescribed`, the controls are left out."""
    config = (ROOT / "Recordings/kiosk-month.toml").read_text()
    if not isDescribed:
        config = re.sub(r"\[\[control\]\]\n(?:[^\[\n].*\n|\n)*", "", config)
    path = f"{folder}/config.toml"
    with open(path, "w") as file:
        file.write(config.replace("height = 800\n", "height = 800\n" + geometry, 1))
    run("touchgridd", "--config", path, "--store", f"{folder}/touchgrid.db", "--replay", recording)
    return f"{folder}/touchgrid.db"


def embedded(page):
    with open(page, encoding="utf-8") as file:
        return json.loads(re.search(r'id="touchgrid-data">(.*?)</script>', file.read(), re.S)[1])


def decoded(text, blocks):
    """Decodes a map. Returns a list of the sums of all blocks, and a list of the numbers of
    sessions that touched them. The base64 text contains numbers of variable length, three for each
    touched block: the gap since the last one, the sum, and the number of sessions."""
    numbers, number, shift = [], 0, 0
    for byte in base64.b64decode(text):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    sums, touched, block = [0] * blocks, [0] * blocks, 0
    for gap, count, sessions in zip(*[iter(numbers)] * 3):
        block += gap
        sums[block], touched[block] = count, sessions
        block += 1
    return sums, touched


def from_page(report, choice, layer):
    """Returns the sums of all blocks and the number of sessions, by screen, display and
    geometry."""
    return {key(screen): (decoded(screen["maps"][choice]["layers"][layer],
                                  screen["geometry"]["columns"] * screen["geometry"]["rows"])[0],
                          screen["maps"][choice]["sessions"])
            for screen in report["screens"] if choice in screen["maps"]}


def key(screen):
    shape = screen["geometry"]
    return (screen["screen"], screen["display"], shape["pixelWidth"], shape["pixelHeight"],
            shape["scale"], shape["rotation"], shape["blockSize"])


def from_csv(store, layer, *arguments):
    """Returns the same data as `from_page`, read from the CSV of `touchgrid heatmap`."""
    text = run("touchgrid", "heatmap", "--layer", layer, "-o", "-", "--format", "csv",
               "--store", store, *arguments).stdout.decode()
    grids = {}
    for row in csv.DictReader(io.StringIO(text)):
        name = (row["screen"], row["display"], int(row["pixel_width"]), int(row["pixel_height"]),
                float(row["scale"]), int(row["rotation"]), int(row["block_size"]))
        sums, _ = grids.setdefault(name, ([], int(row["sessions"])))
        sums.append(int(row["count"]))
    return grids


def picture(path, width, height, colour=(40, 120, 200)):
    """Writes a PNG of one colour."""
    def chunk(kind, data):
        check = zlib.crc32(kind + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + kind + data + check

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    rows = (b"\0" + bytes(colour) * width) * height
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def drawn(chromium, path, kind):
    """Writes a picture of 1280 x 800 pixels as Chromium makes it: a JPEG or a WebP."""
    data = chromium.run(f"Object.assign(document.createElement('canvas'), {{width: 1280, height: 800}})"
                        f".toDataURL('image/{kind}').split(',')[1]")
    with open(path, "wb") as file:
        file.write(base64.b64decode(data))
