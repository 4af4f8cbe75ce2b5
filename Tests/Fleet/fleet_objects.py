"""Writes objects of kiosks' days for tests of releases and comparisons."""

import gzip
import json

GEOMETRY = {"pixelWidth": 1024, "pixelHeight": 768, "scale": 1.0, "rotation": 0, "blockSize": 16}


def write_day(root, kiosk, day, sessions, views, generation="a" * 16, revision=1):
    """Writes the object of a kiosk's day below the folder `root`.

    views: of each (screen, display) a dictionary of `sessions`, perhaps `masks`, `geometry` and
    `shownMs`, and the layers: of each block (sum, square, touched)."""
    head = {"type": "day", "format": 1, "kiosk": kiosk, "generation": generation, "revision": revision,
            "day": str(day), "timeZone": "Europe/Berlin", "version": "0.4.0", "sessions": sessions,
            "firstBeganAtMs": 1_793_600_123_456, "lastBeganAtMs": 1_793_640_123_456,
            "totals": None, "hours": None}
    lines = [head]
    for (screen, display), view in sorted(views.items()):
        layers = {layer: view[layer] for layer in ("taps", "trail", "dwell") if view.get(layer)}
        key = {"screen": screen, "display": display, "geometry": view.get("geometry", GEOMETRY)}
        lines.append({"type": "view", **key, "sessions": view["sessions"],
                      "shownMs": view.get("shownMs", view["sessions"] * 1000),
                      "touches": sum(figures[0] for figures in view.get("taps", {}).values()),
                      "masks": view.get("masks", []),
                      "placements": [{"device": f"secret-device-of-{kiosk}"}]})
    for (screen, display), view in sorted(views.items()):
        for layer in ("taps", "trail", "dwell"):
            if counts := view.get(layer):
                blocks = sorted(counts)
                sums, squares, touched = map(list, zip(*(counts[block] for block in blocks)))
                lines.append({"type": "grid", "screen": screen, "display": display,
                              "geometry": view.get("geometry", GEOMETRY), "layer": layer, "blocks": blocks,
                              "sums": sums, "squares": [square % 2 ** 63 for square in squares],
                              "touched": touched})
                if max(squares) >= 2 ** 63:
                    lines[-1]["squaresHigh"] = [square // 2 ** 63 for square in squares]
    path = root / f"in/{kiosk}/{generation}/{day}/r{revision}.ndjson.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode(), 1))
