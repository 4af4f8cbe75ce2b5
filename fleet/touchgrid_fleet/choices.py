"""The selection of kiosks, and `fleet.toml`, which assigns groups and tags to kiosks:

    [[kiosk]]
    name = "lobby-3"
    group = "north"
    tags = ["airport", "portrait"]
"""

import dataclasses
import functools
import hashlib
import pathlib
import tomllib

import orjson

from . import FleetError
from .objects import KIOSK, shown

FILE = "fleet.toml"


def add_choice(parser):
    parser.add_argument("--kiosk", action="append", default=[], metavar="NAME",
                        help="this kiosk; may be repeated")
    parser.add_argument("--group", action="append", default=[], metavar="NAME",
                        help="the kiosks of this group of fleet.toml; may be repeated")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG",
                        help="only kiosks with this tag of fleet.toml; if repeated, with all of them")
    parser.add_argument("--fleet-file", metavar="FILE", help="the groups and tags (default: ROOT/fleet.toml)")


@dataclasses.dataclass(frozen=True)
class Entry:
    """A kiosk of fleet.toml."""
    name: str
    group: str | None
    tags: frozenset


def read_fleet_file(place, path=None):
    """Returns the Entries of fleet.toml by name; empty if the fleet has no such file. Raises
    FleetError."""
    name = path or f"{place}/{FILE}"
    try:
        data = pathlib.Path(path).read_bytes() if path else place.read(FILE)
        kiosks = tomllib.loads(data.decode()).get("kiosk", [])
    except FileNotFoundError:
        if path:
            raise FleetError(f"{shown(name)} does not exist") from None
        return {}
    except ValueError as error:
        raise FleetError(f"{shown(name)} is not TOML: {shown(str(error))}") from None
    entries = {}
    for number, kiosk in enumerate(kiosks if isinstance(kiosks, list) else [None], 1):
        def fail(reason):
            raise FleetError(f"{shown(name)}: [[kiosk]] number {number}: {reason}")
        if not isinstance(kiosk, dict):
            fail("it is not a table")
        tags = kiosk.get("tags", [])
        if not isinstance(kiosk.get("name"), str) or not KIOSK.fullmatch(kiosk["name"]):
            fail("'name' is not a kiosk's identifier: 1 to 63 of a-z, 0-9 and -")
        if not isinstance(kiosk.get("group", ""), str):
            fail("'group' is not a text")
        if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
            fail("'tags' is not a list of texts")
        if unknown := kiosk.keys() - {"name", "group", "tags"}:
            fail(f"unknown key '{shown(min(unknown))}'")
        if kiosk["name"] in entries:
            fail(f"kiosk '{kiosk['name']}' occurs twice")
        entries[kiosk["name"]] = Entry(kiosk["name"], kiosk.get("group"), frozenset(tags))
    return entries


@dataclasses.dataclass(frozen=True)
class Choice:
    """The chosen kiosks. `names`: a sorted tuple, or None for all."""
    names: tuple | None

    @property
    def generation(self):
        """Returns the generation of the sums: 32 hexadecimal digits, different for each set of kiosks."""
        return hashlib.blake2b(orjson.dumps(self.names), digest_size=16).hexdigest()

    @functools.cached_property
    def name_set(self):
        return frozenset(self.names)

    def includes(self, name):
        return self.names is None or name in self.name_set


def choose(place, arguments):
    """Returns the Choice that the arguments name. Kiosks and groups add up; tags restrict them. Raises
    FleetError."""
    if not (arguments.kiosk or arguments.group or arguments.tag):
        return Choice(None)
    entries = read_fleet_file(place, arguments.fleet_file) if arguments.group or arguments.tag else {}
    for group in arguments.group:
        if not any(entry.group == group for entry in entries.values()):
            raise FleetError(f"fleet.toml has no kiosk in group '{shown(group)}'")
    for name in arguments.kiosk:
        if not KIOSK.fullmatch(name):
            raise FleetError(f"'{shown(name)}' is not a kiosk's identifier: 1 to 63 of a-z, 0-9 and -")
    if arguments.kiosk or arguments.group:
        names = {
            *arguments.kiosk, *(entry.name for entry in entries.values() if entry.group in arguments.group)
        }
    else:
        names = set(entries)
    for tag in arguments.tag:
        names = {name for name in names if name in entries and tag in entries[name].tags}
    if not names:
        raise FleetError("fleet.toml has no kiosk with these tags")
    return Choice(tuple(sorted(names)))
