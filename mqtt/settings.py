"""The configuration, /etc/touchgrid/mqtt.toml, and the password of the broker."""

import os
import pathlib
import re
import socket
import stat
import tomllib
from dataclasses import dataclass, fields
from typing import Any

CONFIGURATION = "/etc/touchgrid/mqtt.toml"
PASSWORD = "/etc/touchgrid/mqtt.password"
# What the unit passes if there is no file of the password.
NO_PASSWORD = "none"
# The shortest and longest `idle_after`, in s. The daemon tells of touches in steps of 5 s; a rest must be so long that
# pauses between the keys of a PIN are none.
IDLE = (30, 86_400)
UNITS = {"s": 1, "m": 60, "h": 3600}


class Failure(Exception):
    """What is wrong, for the person who runs the program, and the exit status."""

    status = 1


class BadConfiguration(Failure):
    status = 78


def printable(text: object) -> str:
    """Returns a text with its control and invisible characters escaped."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in str(text))


# Other characters could make a topic of wildcards, or one of the broker's own ($SYS).
TOPIC = r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*"

# The tables of the configuration, and their keys.
TABLES = {"broker": ("host", "port", "tls", "ca", "username"), "kiosk": ("name", "idle_after", "screen"),
          "topics": ("prefix", "discovery")}


@dataclass(frozen=True)
class Settings:
    """Each field is a key of the configuration, and its value there. The default of `port` and `name`: `checked`."""

    host: str
    port: int = 0
    tls: bool = True
    ca: str = ""
    username: str = ""
    name: str = ""
    prefix: str = "touchgrid"
    discovery: str = "homeassistant"
    idle_after: str = "60s"
    screen: bool = False

    @property
    def idle_seconds(self) -> int:
        return int(self.idle_after[:-1]) * UNITS[self.idle_after[-1]]

    @property
    def base(self) -> str:
        """The beginning of the kiosk's topics."""
        return f"{self.prefix}/{self.name}"


def load(path: str) -> Settings:
    """Reads a configuration. Raises BadConfiguration for a mistake in it."""
    try:
        return checked(flattened(tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))))
    except OSError as error:
        raise BadConfiguration(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, BadConfiguration) as error:
        raise BadConfiguration(f"{path}: {error}") from None


def flattened(tables: dict[str, Any]) -> dict[str, Any]:
    """Returns the values of all tables, by key."""
    values, types = {}, {field.name: field.type for field in fields(Settings)}
    for table, content in tables.items():
        if table not in TABLES or not isinstance(content, dict):
            raise BadConfiguration(f"unknown table or key '{table}'; the tables are {', '.join(TABLES)}")
        for key, value in content.items():
            if key not in TABLES[table]:
                known = ", ".join(TABLES[table])
                raise BadConfiguration(f"unknown key '{key}' in [{table}]; the keys there are {known}")
            if type(value) is not types[key]:
                kind = {str: "a text in quotes", int: "a whole number", bool: "true or false"}[types[key]]
                raise BadConfiguration(f"{key} must be {kind}, not {value!r}")
            values[key] = value
    return values


def checked(values: dict[str, Any]) -> Settings:
    if not values.get("host"):
        raise BadConfiguration('host is missing in [broker]: name the MQTT broker, such as host = "mqtt.example"')
    if "port" not in values:
        values["port"] = 8883 if values.get("tls", True) else 1883
    if not values.get("name"):
        values["name"] = re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname().split(".")[0])[:64]
    settings = Settings(**values)
    for key, pattern, rule in (
            ("host", r"[A-Za-z0-9.:_-]{1,253}", "must be the name or address of the broker"),
            ("username", r"[^\x00-\x1f\x7f]{0,128}", "must have at most 128 characters, and no control characters"),
            ("name", r"[A-Za-z0-9_-]{1,64}", "must have 1 to 64 letters, digits, _ and -, as Home Assistant demands"),
            ("prefix", TOPIC, "must be a topic of letters, digits, _ and -, with / between"),
            ("discovery", TOPIC, "must be a topic of letters, digits, _ and -, with / between"),
            ("idle_after", r"[0-9]{1,5}[smh]", "must be a time such as \"60s\" or \"5m\""),
            ("ca", r"(/[^\x00]*)?", "must be the absolute path of a file")):
        if not re.fullmatch(pattern, getattr(settings, key)):
            raise BadConfiguration(f"{key} {rule}, not {getattr(settings, key)!r}")
    if not 1 <= settings.port <= 65_535:
        raise BadConfiguration(f"port must be 1 to 65535, not {settings.port}")
    if not IDLE[0] <= settings.idle_seconds <= IDLE[1]:
        raise BadConfiguration(f"idle_after must be {IDLE[0]}s to 24h, not {settings.idle_after!r}")
    if settings.ca and not settings.tls:
        raise BadConfiguration("ca is for TLS: remove it, or tls = false")
    return settings


def password(settings: Settings) -> str | None:
    """Returns the password that systemd passes to the service; None without a user name."""
    if not settings.username:
        return None
    path = pathlib.Path(os.environ.get("CREDENTIALS_DIRECTORY", "/nonexistent"), "password")
    try:
        text = path.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, ValueError):
        text = NO_PASSWORD
    if text in ("", NO_PASSWORD):
        raise BadConfiguration(f"username is set, but systemd passes no password: write it into {PASSWORD}")
    return text


def check_password_file(settings: Settings, path: str) -> None:
    """Raises BadConfiguration if the file of the password is missing or open to others."""
    if not settings.username:
        return
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        reason = f"username is set, but its password in {path} cannot be read: {error.strerror}"
        raise BadConfiguration(reason) from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadConfiguration(f"others than root may read {path}: run 'chmod 600 {path}'")
