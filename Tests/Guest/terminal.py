"""A program on a terminal, and a person who reads what it prints and answers."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time


class Terminal:
    def __init__(self, *words, rows=24, columns=80):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm"
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvp(words[0], words)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
        self.seen, self.read = "", 0

    def wait_for(self, pattern, limit=60):
        """Waits for text that was not waited for yet. Returns what was found."""
        end = time.time() + limit
        while not (found := re.search(pattern, self.seen[self.read:])):
            if time.time() > end or not self.take(1):
                sys.exit(f"{sys.argv[0]}: no {pattern!r} after\n{self.seen}")
        self.read += found.end()
        return found

    def take(self, seconds):
        """Reads what was printed. Returns whether the program goes on."""
        if not select.select([self.end], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.end, 1 << 16)
        except OSError:
            data = b""
        self.seen += data.decode().replace("\r\n", "\n")
        return bool(data)

    def answer(self, question, line):
        self.wait_for(question)
        self.wait_for(r"> $")
        os.write(self.end, f"{line}\n".encode())

    def finish(self):
        while self.take(60):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
