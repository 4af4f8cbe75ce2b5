"""Messages of Varlink (https://varlink.org), checked against the interface. This module uses no
sockets."""

import json
from typing import Any

from .interface import REPLIES, TYPES

INTERFACE = "io.touchgrid"
# The daemon's socket.
PATH = "/run/touchgrid/io.touchgrid"
# The longest message that is read, in bytes. The daemon sends none of more than 64 MiB.
LONGEST = 64 << 20
# The time limit of an app for a reply, in s: an app must not wait for Touchgrid.
TIMEOUT = 1.0

PLAIN = {"int": int, "string": str, "bool": bool}


class CallError(Exception):
    """An error reply of the daemon: its name, such as io.touchgrid.TooLate, and its parameters."""

    def __init__(self, name: str, parameters: dict[str, Any]):
        super().__init__(f"{name}: {parameters.get('message', parameters)}")
        self.name, self.parameters = name, parameters

    @property
    def kind(self) -> str:
        """The name without the name of the interface, such as TooLate."""
        return self.name.rpartition(".")[2]

    @property
    def means_invalid(self) -> bool:
        """Whether the parameters are invalid, so that the same call can never succeed."""
        return self.kind in ("InvalidValue", "InvalidParameter")


class ProtocolError(ConnectionError):
    """The data is not a valid reply. The connection is then unusable."""


def message(method: str, parameters: dict[str, Any] | None = None, **flags: bool) -> bytes:
    """Returns a call in its encoded form. A method without a dot belongs to io.touchgrid.
    Parameters that are None are left out."""
    name = method if "." in method else f"{INTERFACE}.{method}"
    given = {key: value for key, value in (parameters or {}).items() if value is not None}
    return json.dumps({"method": name, "parameters": given, **flags}).encode() + b"\0"


class Messages:
    """Joins the parts in which messages arrive."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.searched = 0

    def add(self, part: bytes) -> None:
        self.data += part

    def next(self) -> bytes | None:
        """Returns the next whole message without its NUL; None if it has not arrived."""
        end = self.data.find(0, self.searched)
        if end < 0:
            self.searched = len(self.data)
            if self.searched > LONGEST:
                raise ProtocolError(f"a message has more than {LONGEST} bytes")
            return None
        text = bytes(self.data[:end])
        del self.data[:end + 1]
        self.searched = 0
        return text


def answer(text: bytes, method: str) -> tuple[dict[str, Any], bool]:
    """Returns the members of a reply to a method, and whether more replies follow.

    Raises CallError for an error reply of the daemon, ProtocolError if the text is not a reply to
    the method.
    """
    try:
        reply = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"the reply is not JSON: {error}") from None
    if not isinstance(reply, dict):
        raise ProtocolError("the reply is not an object")
    parameters = reply.get("parameters") or {}
    if not isinstance(parameters, dict):
        raise ProtocolError("the parameters of the reply are not an object")
    if "error" in reply:
        if not isinstance(reply["error"], str):
            raise ProtocolError("the name of the error is not a string")
        raise CallError(reply["error"], parameters)
    continues = reply.get("continues", False)
    if not isinstance(continues, bool):
        raise ProtocolError("'continues' is neither true nor false")
    if method in REPLIES:
        check_members(parameters, REPLIES[method], method)
    return parameters, continues


def check_members(value: Any, members: dict[str, str], place: str) -> None:
    """Raises ProtocolError unless a value is an object with these members. Ignores further
    members, which may be from a later version."""
    if not isinstance(value, dict):
        raise ProtocolError(f"{place} is not an object")
    for name, type_ in members.items():
        check(value.get(name), type_, f"{place}.{name}")


def check(value: Any, type_: str, place: str) -> None:
    """Raises ProtocolError if a value does not have the given Varlink type."""
    if type_[0] == "?":
        if value is not None:
            check(value, type_[1:], place)
    elif type_.startswith("[]"):
        if not isinstance(value, list):
            raise ProtocolError(f"{place} is not a list")
        for element in value:
            check(element, type_[2:], place)
    elif type_.startswith("[string]"):
        if not isinstance(value, dict):
            raise ProtocolError(f"{place} is not an object")
        for element in value.values():
            check(element, type_[8:], place)
    elif type_ == "float":
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ProtocolError(f"{place} is not a number")
    elif type_ in PLAIN:
        if not isinstance(value, PLAIN[type_]) or isinstance(value, bool) != (type_ == "bool"):
            raise ProtocolError(f"{place} is not of the type {type_}")
    elif isinstance(members := TYPES[type_], dict):
        check_members(value, members, place)
    elif not isinstance(value, str):
        # A later version may have further values.
        raise ProtocolError(f"{place} is not a string")
