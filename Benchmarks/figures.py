"""The figures of a benchmark: prints them as a table, writes them as JSON and tells which miss
their goal."""

import json
import sys


class Figures:
    def __init__(self, title):
        self.title = title
        self.rows = []

    def add(self, what, value, unit="", goal=None):
        """Adds a figure; `goal` is its upper limit."""
        self.rows.append({
            "of": self.title, "what": what, "value": value, "unit": unit, "goal": goal,
            "is_missed": goal is not None and value > goal})

    @property
    def missed(self):
        return [row for row in self.rows if row["is_missed"]]

    def end(self, path):
        """Prints the table, writes the JSON if a path is given, and exits with status 1 if a
        goal is missed."""
        show(self.rows)
        if path:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(self.rows, file, indent=1, ensure_ascii=False)
        if self.missed:
            print(f"\n{self.title}: {len(self.missed)} of its goals missed", file=sys.stderr)
        sys.exit(bool(self.missed))


def said(value):
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{value:,}"


def show(rows):
    """Prints each figure on a line."""
    title = None
    for row in rows:
        if row["of"] != title:
            title = row["of"]
            print(f"\n{title}")
        goal = "" if row["goal"] is None else f"at most {said(row['goal'])}"
        mark = "  MISSED" if row["is_missed"] else ""
        print(f"  {row['what']:<43} {said(row['value']):>9} {row['unit']:<6} {goal}{mark}".rstrip())
