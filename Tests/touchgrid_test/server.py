"""Servers of a test, which answer as the test wants."""

import contextlib
import http.server
import socket
import threading


class Server:
    """Listens on a port of the loopback, or on a Unix socket at `path`, and answers each connection by a function, in a
    thread of its own. `ends`: the sockets to shut down when it stops."""

    def __init__(self, answer, path=None):
        self.answer, self.connections, self.ends = answer, 0, []
        self.socket = socket.create_server(path or ("127.0.0.1", 0), family=socket.AF_UNIX if path else socket.AF_INET)
        if not path:
            self.port = self.socket.getsockname()[1]
            self.endpoint = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                self.connections += 1
                self.ends.append(connection)
                threading.Thread(target=self.serve_one, args=(connection,), daemon=True).start()

    def serve_one(self, connection):
        with contextlib.suppress(OSError, EOFError), connection:
            self.answer(connection)

    def stop(self):
        # close alone does not wake the thread in accept.
        for end in (self.socket, *self.ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.socket.close()


@contextlib.contextmanager
def serving(handler, port=0):
    """Serves HTTP on a port of the loopback, 0 for any, and yields the port."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
