"""Random parameters of calls, made from their types."""

import json

from interface import Kind

LONG = 50_000
INTEGERS = [0, 1, 2, 3, -1, 45, 90, 180, 270, 360, 255, 256, 257, 1000, 4999, 5000, 16384, 16385, 86_400_000, 86_400_001, 2**31 - 1,
            2**31, 2**53, 2**63 - 1, -(2**63)]
FLOATS = ["0", "1", "0.25", "0.2", "1.5", "2", "16", "16.5", "-1", "-0.0", "1e3", "1e308", "-1e308", "5e-324", "128"]
STRINGS = ["", "a", "menu", "checkout/pay", "default", "é", "日本語", "👆🏽", "a" * 128, "a" * 129, "é" * 64, "é" * 65, "\0",
           "\x1b[2J", "\u202e", "a\nb", '"', "\\", "%s%n", "../../etc/passwd", "2026-11-21", "2026-02-30", "9999-12-31",
           "'; DROP TABLE session; --"]

# JSON values that do not fit each kind.
WRONG = {
    "bool": ["0", "1", '"true"', "[]", "{}"],
    "int": ['"1"', "1.5", "true", "[]", "{}", "9223372036854775808", "-9223372036854775809", "1e30"],
    "float": ['"1"', "true", "[]", "{}", '"NaN"'],
    "string": ["0", "1.5", "true", "[]", "{}", '["a"]'],
    "choice": ['"none of these"', '""', "0", "true", "[]", "{}"],
    "structure": ["0", '"a"', "true", "[]", "[{}]"],
    "list": ["0", '"a"', "true", "{}"],
    "dictionary": ["0", '"a"', "true", "[]"],
}


class Values:
    def __init__(self, random, names):
        """names: names that exist in the daemon, such as displays."""
        self.random = random
        self.strings = [json.dumps(text) for text in STRINGS] + [json.dumps(name) for name in names] * 4

    def right(self, kind):
        """Returns JSON of a value of the kind, often close to the limits of what the daemon accepts."""
        random = self.random
        match kind.name:
            case "optional":
                return "null" if random.random() < 0.5 else self.right(kind.of)
            case "bool":
                return random.choice(("true", "false"))
            case "int":
                return str(random.choice(INTEGERS) if random.random() < 0.7 else random.randrange(20_000))
            case "float":
                return random.choice(FLOATS)
            case "string":
                if random.random() < 0.0005:
                    return '"' + "x" * random.randrange(LONG) + '"'
                return random.choice(self.strings)
            case "choice":
                return f'"{random.choice(kind.names)}"'
            case "list":
                return "[" + ",".join(self.right(kind.of) for _ in range(random.randrange(4))) + "]"
            case "dictionary":
                count = 40 if random.random() < 0.02 else random.randrange(4)
                keys = random.sample(range(100), count)
                return "{" + ",".join(f'"k{key}":{self.right(kind.of)}' for key in keys) + "}"
            case "structure":
                return self._object({name: self.right(member) for name, member in kind.members
                                     if member.name != "optional" or random.random() < 0.7})

    def wrong(self, kind):
        """Returns JSON that does not fit the kind."""
        random = self.random
        match kind.name:
            case "optional":
                return self.wrong(kind.of)
            case "structure" if kind.members and random.random() < 0.7:
                members = {name: self.right(member) for name, member in kind.members}
                self._spoil(members, kind)
                return self._object(members)
            case "dictionary" if random.random() < 0.7:
                return '{"k":' + self.wrong(kind.of) + "}"
            case "list" if random.random() < 0.7:
                return "[" + self.wrong(kind.of) + "]"
        return random.choice(WRONG[kind.name])

    def _spoil(self, members, kind):
        """Makes one member wrong or removes it. Returns the name of the member."""
        name, member = self.random.choice(kind.members)
        if member.name != "optional" and self.random.random() < 0.3:
            if self.random.random() < 0.5:
                del members[name]
            else:
                members[name] = "null"
        else:
            members[name] = self.wrong(member)
        return name

    def _object(self, members):
        members = list(members.items())
        self.random.shuffle(members)
        return "{" + ",".join(f'"{name}":{value}' for name, value in members) + "}"

    def parameters(self, kind: Kind):
        """Returns JSON of the parameters of a call, and the name of the wrong parameter, or None if all are right."""
        chance = self.random.random()
        if chance < 0.8:
            return self.right(kind), None
        members = {name: self.right(member) for name, member in kind.members}
        if chance < 0.9 and kind.members:
            wrong = self._spoil(members, kind)
        else:
            wrong = self.random.choice(("unknown", "", "Name", "method"))
            members[wrong] = self.random.choice(("null", "1", "{}", '"a"'))
        return self._object(members), wrong
