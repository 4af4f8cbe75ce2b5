"""The interface's description, as the Python package varlink parses it: types, methods with the roles that their
comments name, and errors."""

import dataclasses
import re

from varlink import scanner

ROLES = {"app", "read", "watch", "signal", "operate", "owner"}


@dataclasses.dataclass(frozen=True)
class Kind:
    # bool, int, float, string, choice, structure, optional, list or dictionary.
    name: str
    # The kind of the optional value, or of the elements of the list or dictionary; None for other kinds.
    of: "Kind | None" = None
    # The names of a choice.
    names: tuple = ()
    # The members of a structure: pairs of name and kind.
    members: tuple = ()


@dataclasses.dataclass(frozen=True)
class Method:
    name: str
    # A caller needs one of these roles. Denials name the first.
    roles: tuple
    parameters: Kind
    reply: Kind


class Malformed(Exception):
    pass


class Interface:
    def __init__(self, text):
        parsed = scanner.Interface(text)
        self.name, self.members = parsed.name, parsed.members
        self.methods, self.errors = {}, {}
        for name, member in self.members.items():
            if isinstance(member, scanner._Method):
                self.methods[name] = Method(
                    name, self._roles(name, member.doc), self._kind(member.in_type), self._kind(member.out_type))
            elif isinstance(member, scanner._Error):
                self.errors[f"{self.name}.{name}"] = self._kind(member.type)

    @staticmethod
    def _roles(name, comment):
        found = re.findall(r"\bRole: (\w+(?: or \w+)*)\.", " ".join(comment.split()))
        if len(found) != 1:
            raise Malformed(f"the comment of {name} names no role: \"Role: read.\"")
        roles = tuple(found[0].split(" or "))
        if unknown := set(roles) - ROLES:
            raise Malformed(f"{name} takes a role that is unknown: {unknown}")
        return roles

    def _kind(self, made):
        match made:
            case scanner._CustomType():
                return self._kind(self.members[made.name].type)
            case scanner._Struct():
                return Kind("structure", members=tuple((name, self._kind(each)) for name, each in made.fields.items()))
            case scanner._Enum():
                return Kind("choice", names=tuple(made.fields))
            case scanner._Maybe():
                return Kind("optional", self._kind(made.element_type))
            case scanner._Array():
                return Kind("list", self._kind(made.element_type))
            case scanner._Dict():
                return Kind("dictionary", self._kind(made.element_type))
        return Kind({bool: "bool", int: "int", float: "float", str: "string"}[type(made)])


def problem(value, kind, place=""):
    """Returns what is wrong with a value, or None if it fits the kind. `place` is its path in the message."""
    match kind.name:
        case "optional":
            return None if value is None else problem(value, kind.of, place)
        case "bool":
            fits = isinstance(value, bool)
        case "int":
            fits = isinstance(value, int) and not isinstance(value, bool)
        case "float":
            fits = isinstance(value, (int, float)) and not isinstance(value, bool)
        case "string":
            fits = isinstance(value, str)
        case "choice":
            fits = value in kind.names
        case "list":
            fits = isinstance(value, list)
            if fits:
                return next(filter(None, (problem(one, kind.of, place + "[]") for one in value)), None)
        case "dictionary":
            fits = isinstance(value, dict)
            if fits:
                return next(filter(None, (problem(one, kind.of, place + "{}") for one in value.values())), None)
        case "structure":
            if not isinstance(value, dict):
                return f"{place}: no object"
            if unknown := value.keys() - dict(kind.members):
                return f"{place}: members that are not in the interface: {unknown}"
            return next(filter(None, (
                problem(value.get(name), member, f"{place}.{name}") for name, member in kind.members)), None)
    return None if fits else f"{place}: {value!r} is no {kind.name}"
