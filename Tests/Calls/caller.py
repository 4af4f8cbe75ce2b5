"""A client that makes random calls and checks each reply. It derives its permissions only from the interface's text."""

import collections
import json
import random
import select
import time

from interface import problem
from touchgrid import Client
from values import Values

STANDARD = "org.varlink.service."
BATCH_CALLS = 64
# The client sends a whole batch before it reads replies, so the daemon and the kernel must be able to buffer it.
BATCH_BYTES = 100_000
MESSAGE_LIMIT = 65_536
# The maximum length of messages of callers without a role, in bytes.
SMALL_LIMIT = 4096
PATIENCE = 120
# How long to wait for the next reply to a call that may never end, such as WatchTouches.
STREAM_SECONDS = 0.01
# Methods with larger replies on average, in bytes, are called less often.
USUAL_BYTES = 2000

MALFORMED = [b"", b"null", b"[]", b"{", b'{"method":1}', b'{"parameters":{}}', b'{"method":"io.touchgrid.GetStatus"}x',
             b'{"method":"io.touchgrid.GetStatus","method":2}', b'{"method":"io.touchgrid.GetStatus","parameters":[]}',
             b'{"method":"io.touchgrid.GetStatus","more":1}', b'{"method":"io.touchgrid.GetStatus","role":"app"}',
             b'{"method":"io.touchgrid.GetStatus","more":true,"oneway":true}', b'{"method":"\xff"}',
             b'{"method":"io.touchgrid.GetStatus","parameters":' + b"[" * 1000]


class Wrong(Exception):
    """The daemon contradicted the interface."""


class Call:
    def __init__(self, text, method="", verdict="", wrong=None, oneway=False, more=False):
        self.text, self.method, self.verdict, self.wrong = text, method, verdict, wrong
        self.oneway, self.more = oneway, more


class Caller:
    def __init__(self, path, interface, roles, groups, seed, names, hidden):
        """roles: the roles of this client; groups: the group of each role, None for no group; names: names that exist
        in the daemon; hidden: a name that clients without a role must not see."""
        self.path, self.interface, self.roles, self.groups = path, interface, set(roles), groups
        self.random = random.Random(seed)
        # Twice, so that the kinds of counts make no name of the daemon rarer.
        self.values = Values(self.random, [*names, *names, "controls", "flow", "panel"])
        self.hidden = None if roles else hidden.encode()
        self.methods = list(interface.methods.values())
        self.cost = collections.Counter()
        self.denials = {}
        # The number of calls by method and outcome.
        self.outcomes = collections.Counter()
        self.calls = 0
        self.client = None

    def run(self, count):
        while self.calls < count:
            if self.client is None:
                self.client = Client(self.path, PATIENCE)
            batch = self._batch(min(BATCH_CALLS, count - self.calls))
            self.client.socket.sendall(b"".join(call.text + b"\0" for call in batch))
            for call in batch:
                try:
                    self._take(call)
                except Wrong as error:
                    raise Wrong(f"{error}\n  to: {call.text[:2000]}") from None
            self.calls += len(batch)
        self._close()

    # Connections

    def _close(self):
        if self.client is not None:
            self.client.close()
        self.client = None

    def _read(self):
        """Returns the next message, or None if the daemon has closed the connection."""
        try:
            message = self.client.read(time.monotonic() + PATIENCE)
        except ConnectionResetError:
            return None
        if message is None:
            if self.client.messages.data:
                raise Wrong(f"half a message: {self.client.messages.data[:200]}")
            return None
        if self.hidden and self.hidden in message:
            raise Wrong(f"it tells what nobody may know: {message[:2000]}")
        return message

    # Calls

    def _batch(self, count):
        """Returns the calls to send together. A call that ends the connection or may never end comes last."""
        calls, size = [], 0
        while len(calls) < count and size < BATCH_BYTES:
            call = self._call()
            calls.append(call)
            size += len(call.text)
            if call.verdict == "malformed" or call.more and call.verdict == "permitted":
                break
        return calls

    def _call(self):
        chance = self.random.random()
        if chance < 0.0005:
            return Call(self._malformed(), verdict="malformed")
        if chance < 0.01:
            return self._strange()
        while True:
            method = self.random.choice(self.methods)
            if self.cost[method.name] * self.random.random() <= USUAL_BYTES:
                break
        parameters, wrong = self.values.parameters(method.parameters)
        text = f'{{"method":"{self.interface.name}.{method.name}"'
        if parameters != "{}" or self.random.random() < 0.5:
            text += f',"parameters":{parameters}'
        flag = self.random.choices(("", "more", "oneway", "upgrade"), (14, 3, 2, 1))[0]
        if flag:
            text += f',"{flag}":true'
        verdict = "permitted" if self.roles.intersection(method.roles) else "denied"
        text = text.encode() + b"}"
        if len(text) > (MESSAGE_LIMIT if self.roles else SMALL_LIMIT):
            return Call(text, method.name, "malformed")
        return Call(text, method.name, "upgrade" if flag == "upgrade" else verdict, wrong, oneway=flag == "oneway",
                    more=flag == "more")

    def _malformed(self):
        if self.random.random() < 0.2:
            return b'{"method":"' + b"x" * MESSAGE_LIMIT + b'"}'
        return self.random.choice(MALFORMED)

    def _strange(self):
        """Returns a call of a standard method, which every client may call, or of a method that does not exist."""
        name = self.interface.name
        text, verdict = self.random.choice((
            (f'{{"method":"{STANDARD}GetInfo"}}', "answered"),
            (f'{{"method":"{STANDARD}GetInterfaceDescription","parameters":{{"interface":"{name}"}}}}', "answered"),
            (f'{{"method":"{STANDARD}GetInterfaceDescription"}}', "InvalidParameter"),
            (f'{{"method":"{name}.Nothing"}}', "MethodNotFound"),
            (f'{{"method":"{name}.getStatus"}}', "MethodNotFound"),
            (f'{{"method":"{name}.GetStatus.GetStatus"}}', "InterfaceNotFound"),
            ('{"method":""}', "InterfaceNotFound"), ('{"method":"GetStatus"}', "InterfaceNotFound"),
        ))
        return Call(text.encode(), verdict=verdict)

    # Replies

    def _take(self, call):
        """Reads the replies to a call and checks them against the interface."""
        if call.oneway:
            return
        # Most replies are denials, and all denials of a method are equal: compare them unparsed.
        message = self._read()
        if message is None:
            raise Wrong("the connection was closed")
        if call.verdict == "denied" and message in self.denials.get(call.method, ()):
            self.outcomes[call.method, "NotPermitted"] += 1
            return
        continues = self._judge(call, message)
        while continues:
            if b"\0" not in self.client.messages.data and not select.select([self.client.socket], [], [], STREAM_SECONDS)[0]:
                return self._close()
            if self.random.random() < 0.05:
                return self._close()
            if (message := self._read()) is None:
                raise Wrong("the connection was closed among replies")
            continues = self._judge(call, message)
        if call.verdict == "malformed":
            if self._read() is not None:
                raise Wrong("it goes on after a malformed message")
            self._close()

    def _judge(self, call, message):
        """Checks a reply. Returns whether more replies follow."""
        reply = json.loads(message)
        if unknown := reply.keys() - {"parameters", "error", "continues"}:
            raise Wrong(f"a reply with {unknown}")
        parameters, error = reply.get("parameters", {}), reply.get("error")
        continues = reply.get("continues", False)
        if continues and not call.more:
            raise Wrong(f"a reply continues that was not asked for: {message[:500]}")
        if error is not None and len(message) > 4096:
            raise Wrong(f"an error of {len(message)} bytes")
        short = (error or "answered").rpartition(".")[2]
        match call.verdict:
            case "denied":
                self._judge_denial(call, error, parameters, message)
            case "permitted":
                self._judge_reply(call, error, parameters, message)
            case "upgrade":
                self._expect(error == STANDARD + "MethodNotImplemented", message)
            case "malformed":
                self._expect(error == self.interface.name + ".MalformedMessage", message)
            case wanted:
                self._expect(short == wanted, message)
        self.outcomes[call.method, short] += 1
        return continues

    def _judge_denial(self, call, error, parameters, message):
        roles = self.interface.methods[call.method].roles
        self._expect(error == self.interface.name + ".NotPermitted", message)
        self._expect(parameters.keys() <= {"role", "group", "message"}, message)
        self._expect(parameters["role"] == roles[0], message)
        group = self.groups[roles[0]]
        self._expect(parameters.get("group") == group and (group or "") in parameters["message"], message)
        denials = self.denials.setdefault(call.method, set())
        denials.add(message)
        # A denial may depend only on the method, so all denials of a method must be equal.
        self._expect(len(denials) == 1, message)

    def _judge_reply(self, call, error, parameters, message):
        method = self.interface.methods[call.method]
        self.cost[call.method] += (len(message) - self.cost[call.method]) // 4
        if error is None:
            self._expect(call.wrong is None, message)
            if what := problem(parameters, method.reply, call.method):
                raise Wrong(what)
        elif error == STANDARD + "InvalidParameter":
            self._expect(parameters == {"parameter": call.wrong}, message)
        elif error == STANDARD + "ExpectedMore":
            self._expect(not call.more, message)
        else:
            short = error.rpartition(".")[2]
            self._expect(error in self.interface.errors and short not in {
                "NotPermitted", "TooManyClients", "TooSlow", "MalformedMessage"}, message)
            self._expect(call.wrong is None, message)
            if what := problem(parameters, self.interface.errors[error], error):
                raise Wrong(what)

    @staticmethod
    def _expect(holds, message):
        if not holds:
            raise Wrong(f"this is not what the interface says: {message[:2000]}")
