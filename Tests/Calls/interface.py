"""An independent parser of the interface's description: types, methods with the roles that their comments name, and
errors."""

import dataclasses
import re

ROLES = {"app", "read", "watch", "signal", "owner"}


@dataclasses.dataclass(frozen=True)
class Kind:
    # bool, int, float, string, choice, structure, optional, list or dictionary; before `_resolved`,
    # also the name of a type.
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
        # A comment precedes its declaration. Comments within parentheses are skipped.
        self._words = re.findall(r"#[^\n]*|->|\[\w*\]|[\w.]+|[(),:?]|\S", text)
        self._types, self.methods, self.errors = {}, {}, {}
        declarations = []
        comment = []
        while self._words:
            word = self._words.pop(0)
            if word.startswith("#"):
                comment.append(word[1:].strip())
                continue
            name = self._word()
            match word:
                case "interface":
                    self.name = name
                case "type":
                    self._types[name] = self._structure()
                case "error":
                    self.errors[f"{self.name}.{name}"] = self._structure()
                case "method":
                    roles = self._roles(name, " ".join(comment))
                    parameters = self._structure()
                    self._expect("->")
                    declarations.append(Method(name, roles, parameters, self._structure()))
                case _:
                    raise Malformed(f"no declaration: {word}")
            comment = []
        for method in declarations:
            self.methods[method.name] = dataclasses.replace(
                method, parameters=self._resolved(method.parameters), reply=self._resolved(method.reply))
        self.errors = {name: self._resolved(kind) for name, kind in self.errors.items()}

    @staticmethod
    def _roles(name, comment):
        found = re.findall(r"\bRole: (\w+(?: or \w+)*)\.", comment)
        if len(found) != 1:
            raise Malformed(f"the comment of {name} names no role: \"Role: read.\"")
        roles = tuple(found[0].split(" or "))
        if unknown := set(roles) - ROLES:
            raise Malformed(f"{name} takes a role that is unknown: {unknown}")
        return roles

    def _word(self):
        while self._words:
            if not (word := self._words.pop(0)).startswith("#"):
                return word
        raise Malformed("it ends too early")

    def _expect(self, wanted):
        if (word := self._word()) != wanted:
            raise Malformed(f"{word} where {wanted} should be")

    def _structure(self):
        """Parses a structure or a choice."""
        self._expect("(")
        names, members = [], []
        word = self._word()
        while word != ")":
            names.append(word)
            word = self._word()
            if word == ":":
                members.append((names.pop(), self._kind()))
                word = self._word()
            if word == ",":
                word = self._word()
        return Kind("choice", names=tuple(names)) if names else Kind("structure", members=tuple(members))

    def _kind(self):
        match word := self._word():
            case "?":
                return Kind("optional", self._kind())
            case "[]":
                return Kind("list", self._kind())
            case "[string]":
                return Kind("dictionary", self._kind())
            case _:
                return Kind(word)

    def _resolved(self, kind):
        if kind.name in self._types:
            kind = self._types[kind.name]
        elif kind.name not in {"bool", "int", "float", "string", "choice", "structure", "optional", "list",
                               "dictionary"}:
            raise Malformed(f"there is no type {kind.name}")
        return dataclasses.replace(
            kind, of=kind.of and self._resolved(kind.of),
            members=tuple((name, self._resolved(member)) for name, member in kind.members))


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
