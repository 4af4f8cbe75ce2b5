"""A program between a DevTools client and a browser. It sees a picture of a page before the client does."""

import socket
import threading


class Between:
    """Passes everything on. When the browser sends a picture, calls `hook` with the bytes and the client's socket. The
    hook returns the bytes to send instead; with None the connection ends."""

    START = b'"data":"iVBOR'

    def __init__(self, port, hook):
        self.browser, self.hook = port, hook
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open, self.is_over = [self.listener], False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.is_over:
            try:
                client, _ = self.listener.accept()
                server = socket.create_connection(("127.0.0.1", self.browser))
            except OSError:
                return
            self.open += [client, server]
            threading.Thread(target=self.pass_on, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(server, client, True), daemon=True).start()

    def pass_on(self, source, target, is_watched):
        held = b""
        try:
            while part := source.recv(1 << 16):
                held += part
                # The start of a picture may be cut in two.
                if is_watched and self.START in held:
                    held = self.hook(held, target)
                    if held is None:
                        return
                elif is_watched and any(held.endswith(self.START[:size]) for size in range(1, len(self.START))):
                    continue
                target.sendall(held)
                held = b""
        except OSError:
            pass
        finally:
            for end in (source, target):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self):
        self.is_over = True
        for end in self.open:
            end.close()
