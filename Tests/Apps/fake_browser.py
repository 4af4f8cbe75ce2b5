"""Stands in for the DevTools of a Chromium, with targets that no test can make a real one show."""

import base64
import contextlib
import hashlib
import json
import struct
import threading

from touchgrid_test.server import Server


class FakeBrowser(Server):
    """A server for DevTools. It lists its targets when it is asked to, reports each change, and says which pages could
    not be loaded if a client attaches to them. `sessions`: how many clients there were."""

    def __init__(self):
        self.targets, self.unreachable = {}, {}
        self.lock, self.clients, self.sessions = threading.RLock(), [], 0
        super().__init__(self.open)

    def open(self, client):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.read(client, 1)
        if b"upgrade: websocket" not in head.lower():
            body = json.dumps({"webSocketDebuggerUrl": f"ws://127.0.0.1:{self.port}/devtools/browser/1"}).encode()
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            return
        key = next(line.partition(b":")[2].strip() for line in head.split(b"\r\n")
                   if line.lower().startswith(b"sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        client.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        self.sessions += 1
        self.talk(client)

    def talk(self, client):
        """Answers the calls of a client. Another kind of browser may do something else."""
        while True:
            call = json.loads(self.message(client))
            with self.lock:
                result = {}
                if call["method"] == "Target.setDiscoverTargets":
                    for target in self.targets.values():
                        self.send(client, method="Target.targetCreated", params={"targetInfo": target})
                    self.clients.append(client)
                elif call["method"] == "Target.getTargets":
                    result = {"targetInfos": list(self.targets.values())}
                elif call["method"] == "Target.attachToTarget":
                    result = {"sessionId": "S" + call["params"]["targetId"]}
                elif call["method"] == "Page.getFrameTree":
                    target = call["sessionId"][1:]
                    frame = {"id": target, "url": self.targets[target]["url"]}
                    if target in self.unreachable:
                        frame = {"id": target, "url": "chrome-error://chromewebdata/",
                                 "unreachableUrl": self.unreachable[target]}
                    result = {"frameTree": {"frame": frame}}
                self.send(client, id=call["id"], result=result)

    @staticmethod
    def read(client, count):
        data = b""
        while len(data) < count:
            part = client.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def message(self, client):
        """Reads a text from a client, which masks it."""
        length = self.read(client, 2)[1] & 127
        if length >= 126:
            length = int.from_bytes(self.read(client, 2 if length == 126 else 8), "big")
        mask, data = self.read(client, 4), self.read(client, length)
        return bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))

    @staticmethod
    def frame(kind, data):
        size = bytes([len(data)]) if len(data) < 126 else struct.pack(">BH", 126, len(data)) \
            if len(data) < 1 << 16 else struct.pack(">BQ", 127, len(data))
        return bytes([128 | kind]) + size + data

    def send(self, client, **message):
        client.sendall(self.frame(1, json.dumps(message).encode()))

    def tell(self, method, **parameters):
        with self.lock:
            for client in self.clients:
                with contextlib.suppress(OSError):
                    self.send(client, method=method, params=parameters)

    def shows(self, target, url, opener=None, failed=False):
        """Opens a target, or gives it another address. `failed`: it could not be loaded."""
        with self.lock:
            method = "Target.targetInfoChanged" if target in self.targets else "Target.targetCreated"
            self.targets[target] = {"targetId": target, "type": "page", "title": "", "url": url, "attached": False,
                                    **({"openerId": opener} if opener else {})}
            self.unreachable.pop(target, None)
            if failed:
                self.unreachable[target] = url
            self.tell(method, targetInfo=self.targets[target])
