/// A Python program that reads files of all formats with the standard library and NumPy, and
/// compares them with the CSV.
enum AgreementProgram {
  static let text = numbers + report + picture + comparison

  private static let numbers = #"""
    import base64, csv, html.parser, json, math, numpy, re, sys, zlib

    def check_numbers(name, rows, blocks, grid, mean):
        columns = grid["geometry"]["columns"]
        assert mean.shape == (grid["geometry"]["rows"], columns) and len(rows) == mean.size
        assert blocks == [divmod(block, columns) for block in range(mean.size)]
        assert [int(row["count"]) for row in rows] == grid["sum"]
        assert [int(row["count_sq"]) for row in rows] == grid["sumOfSquares"]
        assert [float(row["mean"]) for row in rows] == grid["mean"]
        # Where a mask is and nothing was counted, a 0 would say too much.
        hidden = [masked and not count for masked, count in zip(grid["masked"], grid["sum"])]
        assert numpy.isnan(mean).ravel().tolist() == hidden
        assert numpy.nan_to_num(mean).ravel().tolist() == grid["mean"]
        assert [row["masked"] == "1" for row in rows] == grid["masked"]
        assert all(row["screen"] == grid["screen"] == "=pay/é" for row in rows)

    def check_export(name, touched):
        for lines in (list(csv.DictReader(open(name + ".long.csv", newline=""))),
                      [json.loads(line) for line in open(name + ".long.ndjson")]):
            found = {(int(line["row"]), int(line["column"])): line for line in lines}
            assert len(found) == len(lines) and found.keys() == touched.keys()
            for block, line in found.items():
                row = touched[block]
                assert line["screen"] == row["screen"] and line["display"] == row["display"]
                for column in ("count", "count_sq"): assert int(line[column]) == int(row[column])
                for column in ("x0", "y0", "x1", "y1", "scale", "rotation", "block_size"):
                    assert float(line[column]) == float(row[column])

    def check_titles(name, touched, mean):
        title = r"column (\d+), row (\d+): ([\d\W]*?) ?[a-z].*?mean ([\d.,e-]*\d)"
        drawn = {(int(row), int(column)): (int(re.sub(r"\D", "", count)), float(mean.replace(",", ""))) for
                 column, row, count, mean in re.findall(title, open(name + ".svg").read())}
        assert drawn.keys() == touched.keys(), (drawn.keys() ^ touched.keys())
        for block, (count, value) in drawn.items():
            assert count == int(touched[block]["count"]), (block, count)
            # Rounded for people: three digits that matter, six decimals at the most.
            assert math.isclose(value, mean[block], rel_tol=0.006, abs_tol=6e-7), (block, value, mean[block])

    """#

  /// Reads the data in a report's page: the JSON in the element `touchgrid-data`, which
  /// docs/report.md describes.
  private static let report = #"""
    class Page(html.parser.HTMLParser):
        text, is_data = "", False
        def handle_starttag(self, tag, attributes):
            self.is_data = tag == "script" and dict(attributes).get("id") == "touchgrid-data"
        def handle_endtag(self, tag): self.is_data = False
        def handle_data(self, data): self.text += data if self.is_data else ""

    def page_data(path):
        page = Page()
        page.feed(open(path).read())
        return json.loads(page.text)

    def varints(data):
        number = shift = 0
        for byte in data:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                yield number
                number = shift = 0
        assert shift == 0

    def check_report(screen, grid, rows):
        for member in ("screen", "display", "geometry"): assert screen[member] == grid[member], member
        shown = screen["maps"]["all"]
        for member in ("sessions", "days", "shownMs", "touches"): assert shown[member] == grid[member]
        masked = [any(x < float(row["x1"]) and float(row["x0"]) < x + width and y < float(row["y1"]) and
                      float(row["y0"]) < y + height for x, y, width, height in shown["masks"]) for row in rows]
        assert masked == grid["masked"] == [row["masked"] == "1" for row in rows] and any(masked)
        assert [name for name, data in shown["layers"].items() if data is not None] == [grid["layer"]]
        found, next_block = [(0, 0)] * len(rows), 0
        numbers = list(varints(base64.b64decode(shown["layers"][grid["layer"]], validate=True)))
        assert len(numbers) % 3 == 0
        for gap, count, sessions in zip(*[iter(numbers)] * 3):
            next_block += gap
            found[next_block] = count, sessions
            next_block += 1
        assert found == [(int(row["count"]), int(row["touched_sessions"])) for row in rows]

    """#

  /// Checks a PNG that contains only the map, at one pixel per point. Its colours must be
  /// interpolated from the table of colours in the report's page. `comparison` checks some entries
  /// of this table against matplotlib's.
  private static let picture = #"""
    def pixels(path):
        file, place, chunks = open(path, "rb").read(), 8, []
        while place < len(file):
            length = int.from_bytes(file[place : place + 4], "big")
            chunks.append((file[place + 4 : place + 8], file[place + 8 : place + 8 + length]))
            place += 12 + length
        (kind, head), *_ = chunks
        width, height = (int.from_bytes(head[at : at + 4], "big") for at in (0, 4))
        assert kind == b"IHDR" and head[8:] == bytes([8, 6, 0, 0, 0])
        data = zlib.decompress(b"".join(text for kind, text in chunks if kind == b"IDAT"))
        texts = [text for kind, text in chunks if kind == b"iTXt" and text.startswith(b"touchgrid\0")]
        assert len(data) == height * (1 + 4 * width) and len(texts) == 1
        above, lines = bytes(4 * width), []
        for start in range(0, len(data), 1 + 4 * width):
            line = bytearray(data[start + 1 : start + 1 + 4 * width])
            above = unfiltered(data[start], line, above)
            lines.append(bytes(above))
        image = numpy.frombuffer(b"".join(lines), numpy.uint8).reshape(height, width, 4)
        return image.astype(int), json.loads(texts[0].split(b"\0", 5)[5])

    def unfiltered(kind, line, above):
        """PNG, 9.2."""
        if kind == 0: return line
        rows = [numpy.frombuffer(bytes(row), numpy.uint8).reshape(-1, 4) for row in (line, above)]
        if kind == 1: return rows[0].cumsum(axis=0, dtype=numpy.uint8).tobytes()
        if kind == 2: return (rows[0] + rows[1]).tobytes()
        for at in range(len(line)):
            left, corner = (line[at - 4], above[at - 4]) if at >= 4 else (0, 0)
            up = above[at]
            if kind == 3: line[at] = line[at] + (left + up) // 2 & 255
            else:
                distances = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                line[at] = line[at] + (left, up, corner)[distances.index(min(distances))] & 255
        return line

    def colour(colours, position):
        place = position * (len(colours) - 1)
        index = min(int(place), len(colours) - 2)
        return colours[index] + (colours[index + 1] - colours[index]) * (place - index)

    def pixel(point): return math.floor(point + 0.5)

    def check_picture(name, index, rows, colours):
        image, told = pixels(name + ".png")
        sessions, is_log = int(rows[0]["sessions"]), index % 2 == 0
        values = numpy.array([int(row["count"]) for row in rows]) / sessions
        limit, unit = numpy.percentile(values[values > 0], 99), 1 / sessions
        if index % 3 == 2: limit, unit = 2e6, 2e6 / 1000
        assert math.isclose(told["limit"], limit) and told["scale"] == ("log" if is_log else "linear")
        assert not is_log or math.isclose(told["scaleUnit"], unit)
        height, width, _ = image.shape
        assert (width, height) == tuple(pixel(max(float(row[edge]) for row in rows)) for edge in ("x1", "y1"))
        seen, compared = {}, 0
        for row, value in zip(rows, values):
            left, top, right, bottom = (pixel(float(row[edge])) for edge in ("x0", "y0", "x1", "y1"))
            block, count = image[top:bottom, left:right], int(row["count"])
            if row["masked"] == "1":
                assert block.size == 0 or block[..., 3].any()
                continue
            if count == 0:
                assert not block.any(), (row["column"], row["row"])
                continue
            # A pixel less on each side: contours may be there, and edges on half pixels.
            inside = block[2:-2, 2:-2].reshape(-1, 4)
            if len(inside) == 0: continue
            compared += 1
            assert (inside == inside[0]).all() and inside[0][3] == round(0.82 * 255), inside
            part = math.log1p(value / unit) / math.log1p(limit / unit) if is_log else value / limit
            wanted = colour(colours, 0.25 + 0.7 * min(1, part))
            # Channels were rounded, multiplied by the opacity, rounded and divided again.
            assert abs(inside[0][:3] - wanted).max() <= 2, (row, inside[0], wanted)
            seen.setdefault(count, set()).add(tuple(inside[0]))
        assert compared > 0 and all(len(found) == 1 for found in seen.values()), seen
        bright = [numpy.dot([0.2126, 0.7152, 0.0722], min(seen[count])[:3]) for count in sorted(seen)]
        assert all(after > before - 1.5 for before, after in zip(bright, bright[1:])), bright
        if is_log and index % 3 != 2 and len(seen) > 20: assert bright[-1] > bright[0] + 50
        return compared

    """#

  private static let comparison = #"""
    data = page_data(sys.argv[2] + "/report.html")
    assert data["title"] == "</script>" and len(data["screens"]) == int(sys.argv[1])
    colours = numpy.array(data["colours"]["inferno"])
    assert colours[[0, 64, 128]].tolist() == [[0, 0, 4], [188, 55, 84], [252, 255, 164]]
    compared = 0
    for index in range(int(sys.argv[1])):
        name = f"{sys.argv[2]}/grid{index}"
        rows = list(csv.DictReader(open(name + ".csv", newline="")))
        grid, = json.load(open(name + ".json"))["grids"]
        mean = numpy.load(name + ".npy", allow_pickle=False)
        blocks = [(int(row["row"]), int(row["column"])) for row in rows]
        touched = {block: row for block, row in zip(blocks, rows) if row["count"] != "0"}
        check_numbers(name, rows, blocks, grid, mean)
        check_export(name, touched)
        check_titles(name, touched, mean)
        check_report(data["screens"][index], grid, rows)
        compared += check_picture(name, index, rows, colours)
    assert compared > 500, compared
    print("agreed")
    """#
}
