"""`touchgrid-fleet kiosks`: lists the kiosks that are silent, late, on an old version, or
faulty."""

import dataclasses
import datetime
import re
import textwrap

import orjson
import pyarrow.parquet

from . import FleetError
from .choices import add_choice, choose, read_fleet_file
from .days import no_result, read_results
from .objects import counted, shown
from .options import add_parser, add_span
from .rollup import read_misnamed

# The exit status if a kiosk has a problem.
ATTENTION = 3
WINDOW_DAYS = 35
# The widths of the table's columns, in characters. With the spaces between, the table has 80.
NAME_WIDTH, VERSION_WIDTH = 14, 8
REFUSED_LINES = 20


def add_verb(verbs):
    parser = add_parser(verbs, "kiosks", "list the kiosks that are silent, late, old or sent bad objects")
    parser.add_argument("--silent", type=int, default=3, metavar="N",
                        help="a kiosk is silent without an object for the last N days (default: 3)")
    parser.add_argument("--version-from", metavar="VERSION",
                        help="older versions are reported (default: the newest version of the fleet)")
    parser.add_argument("--all", action="store_true", help="list kiosks without problems, too")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    add_choice(parser)
    add_span(parser)
    parser.epilog = (
        f"Without --since, it looks at the last {WINDOW_DAYS} days. The exit status is {ATTENTION} if a "
        "kiosk has a problem, 1 after an error.")
    parser.set_defaults(run=run)


@dataclasses.dataclass
class Status:
    """A kiosk in the span. `missing`: days without an object between the first and the last."""
    name: str
    group: str | None = None
    tags: list = dataclasses.field(default_factory=list)
    firstDay: str | None = None
    lastDay: str | None = None
    missing: list = dataclasses.field(default_factory=list)
    version: str | None = None
    generations: list = dataclasses.field(default_factory=list)
    refused: list = dataclasses.field(default_factory=list)
    problems: list = dataclasses.field(default_factory=list)


def run(arguments, place):
    if arguments.silent < 1:
        raise FleetError("--silent must be 1 or more days")
    today = datetime.datetime.now(datetime.timezone.utc).date()
    until = arguments.until or None
    end = datetime.date.fromisoformat(until) if until else today
    since = arguments.since or str(end - datetime.timedelta(WINDOW_DAYS))
    results = list(read_results(place, since, until))
    if not results:
        raise no_result(place, since, until)
    choice = choose(place, arguments)
    statuses = collect(place, results, choice, read_fleet_file(place, arguments.fleet_file))
    other = [refused for refused in read_misnamed(place) if not add_refused(statuses, refused)]
    if choice.names is not None:
        other = []
    versions = [status.version for status in statuses.values() if status.version]
    oldest = arguments.version_from or max(versions, key=order, default="")
    last = str(end - datetime.timedelta(arguments.silent))
    for status in statuses.values():
        judge(status, last, oldest)
    listed = sorted(statuses.values(), key=lambda status: status.name)
    if arguments.json:
        print(orjson.dumps({"since": since, "until": str(end), "kiosks": listed, "otherRefused": other},
                           option=orjson.OPT_INDENT_2).decode())
    else:
        print_table([status for status in listed if status.problems or arguments.all], other)
        print(textwrap.fill(summary(listed, other), 80))
    return ATTENTION if other or any(status.problems for status in listed) else 0


def collect(place, results, choice, entries):
    """Returns the Status of each chosen kiosk that has an object in the results or is in
    fleet.toml."""
    statuses = {}
    def status(name):
        if name not in statuses:
            entry = entries.get(name)
            statuses[name] = Status(name, entry and entry.group, sorted(entry.tags) if entry else [])
        return statuses[name]
    for name in {*entries, *(choice.names or ())}:
        if choice.includes(name):
            status(name)
    days = {}
    for result in results:
        for name, generations in result.inputs.items():
            if choice.includes(name):
                found = status(name)
                found.generations = sorted({*found.generations, *generations})
                days.setdefault(name, []).append(result.day)
        for refused in result.refused:
            name = refused["object"].split("/")[1]
            if choice.includes(name):
                status(name).refused.append(refused)
    for name, present in days.items():
        found = statuses[name]
        found.firstDay, found.lastDay = present[0], present[-1]
        first, last = map(datetime.date.fromisoformat, (found.firstDay, found.lastDay))
        between = {str(first + datetime.timedelta(offset)) for offset in range((last - first).days)}
        found.missing = sorted(between - set(present))
    add_versions(place, results, {name: status for name, status in statuses.items() if status.lastDay})
    return statuses


def add_versions(place, results, unknown):
    """Sets the version of each Status to that of its last day."""
    for result in reversed(results):
        for path in result.paths("kiosks") if unknown else []:
            table = pyarrow.parquet.read_table(
                place.full(path), columns=["name", "version"], filesystem=place.filesystem)
            for name, version in zip(*(column.to_pylist() for column in table.columns)):
                if name in unknown:
                    unknown[name].version = max(unknown[name].version or version, version, key=order)
        unknown = {name: status for name, status in unknown.items() if not status.version}


def add_refused(statuses, refused):
    """Adds an object from the future to its kiosk, if the object's name identifies one."""
    parts = refused["object"].split("/")
    if len(parts) > 1 and parts[1] in statuses:
        statuses[parts[1]].refused.append(refused)
        return True
    return False


def order(version):
    """A key for sorting that puts 0.10.0 after 0.9.0."""
    return [int(number) for number in re.findall("[0-9]{1,9}", version)], version


def judge(status, last, oldest):
    status.problems = [name for name, found in (
        ("silent", not status.lastDay or status.lastDay < last), ("late", status.missing),
        ("old", status.version and order(status.version) < order(oldest)),
        ("generations", len(status.generations) > 1), ("refused", status.refused)) if found]


def cut(text, width):
    return text if len(text) <= width else text[:width - 1] + "…"


def print_table(statuses, other):
    if statuses:
        print(f"{'KIOSK':{NAME_WIDTH}} {'LAST DAY':10} {'MISSING':>7} {'VERSION':{VERSION_WIDTH}} PROBLEMS")
    for status in statuses:
        name, version = cut(status.name, NAME_WIDTH), cut(shown(status.version or "-"), VERSION_WIDTH)
        print(f"{name:{NAME_WIDTH}} {status.lastDay or 'never':10} {len(status.missing):7} "
              f"{version:{VERSION_WIDTH}} {' '.join(status.problems)}".rstrip())
    refused = [refused for status in statuses for refused in status.refused] + other
    for entry in refused[:REFUSED_LINES]:
        print(f"refused: {entry['object']}:")
        print(textwrap.fill(entry["reason"], 80, initial_indent="  ", subsequent_indent="  "))
    if len(refused) > REFUSED_LINES:
        print(f"and {len(refused) - REFUSED_LINES} more; --json has all")


def summary(statuses, other):
    words = {"silent": "silent", "late": "late", "old": "on an old version",
             "generations": "with several generations", "refused": "with refused objects"}
    counts = {problem: sum(problem in status.problems for status in statuses) for problem in words}
    found = [f"{count} {words[problem]}" for problem, count in counts.items() if count]
    if other:
        found.append(f"{counted(len(other), 'refused object')} of no kiosk")
    return f"{counted(len(statuses), 'kiosk')}: {', '.join(found) or 'all well'}"
