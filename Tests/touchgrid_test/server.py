"""A server of a test, which answers as the test wants."""

import contextlib
import socket
import threading


class Server:
    """Listens on a port of the loopback, and answers each connection by a function, in a thread of its own."""

    def __init__(self, answer):
        self.answer, self.connections = answer, 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.endpoint = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                self.connections += 1
                threading.Thread(target=self.serve_one, args=(connection,), daemon=True).start()

    def serve_one(self, connection):
        with contextlib.suppress(OSError, EOFError), connection:
            self.answer(connection)

    def stop(self):
        # close alone does not wake the thread in accept.
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
