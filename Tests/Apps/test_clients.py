"""The packages for Python and JavaScript against a server that answers nonsense, and many calls to the daemon."""

import asyncio
import json
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

import touchgrid
from support import demonstration
from touchgrid_test.server import Server
from touchgrid_test.waiting import PATIENCE, ROOT

SCREEN = b'{"parameters":{"screen":"menu","revision":1}}\0'
# What a server answers to GetScreen, and whether the connection then ends.
NONSENSE = {
    "nothing": (b"", True),
    "half a reply": (SCREEN[:20], True),
    "no JSON": (b"hello\0", False),
    "a list": (b"[1]\0", False),
    "deep": (b"[" * 100_000 + b"\0", False),
    "other members": (b'{"parameters":{"screen":7,"revision":1}}\0', False),
    "a number in place of a truth": (b'{"parameters":{},"continues":1}\0', False),
    "a missing member": (b'{"parameters":{"screen":"menu"}}\0', False),
    "an error without a name": (b'{"error":{}}\0', False),
    "silence": (b"", False),
    "a slow drip": (None, False),
    "a huge reply": (b" " * (66 << 20), True),
}


def always(answer, ends):
    """Returns a function for `Server` that answers each call with the same bytes; None: with spaces, without end."""
    def reply(connection):
        while connection.recv(1 << 16):
            while answer is None:
                connection.sendall(b" ")
                time.sleep(0.05)
            connection.sendall(answer)
            if ends:
                return

    return reply


class Clients(unittest.TestCase):
    """Each client is a function: the path of a socket, and how many times it asks for the screen. It returns the answer
    to the last call, or the name of the error's type."""

    def python(self, path, count):
        try:
            with touchgrid.Client(path, 1) as client:
                for _ in range(count):
                    reply = client.GetScreen()
                return reply["screen"]
        except (OSError, touchgrid.CallError) as error:
            return type(error).__name__

    def asyncio(self, path, count):
        async def ask():
            try:
                async with await touchgrid.AsyncClient.connect(path, 1) as client:
                    for _ in range(count):
                        reply = await client.GetScreen()
                    return reply["screen"]
            except (OSError, touchgrid.CallError) as error:
                return type(error).__name__

        return asyncio.run(ask())

    def javascript(self, path, count):
        program = f"""
            import {{Client}} from '{ROOT}/clients/javascript/index.js';
            let reply;
            try {{
              const client = await Client.connect(process.argv[1], {{timeout: 1000}});
              for (let i = 0; i < {count}; i++) reply = await client.GetScreen();
              client.close();
              console.log(reply.screen);
            }} catch (error) {{ console.log(error.name); }}"""
        return subprocess.run(["node", "--input-type=module", "-e", program, path], capture_output=True, text=True,
                              timeout=PATIENCE, check=True).stdout.strip()

    def setUp(self):
        self.daemon = demonstration()
        self.addCleanup(self.daemon.close)

    def test_ten_thousand_calls(self):
        self.daemon.start()
        for client in (self.python, self.asyncio, self.javascript):
            with self.subTest(client.__name__):
                self.assertEqual(client(self.daemon.socket, 10_000), "default")

    def test_a_refused_mask_keeps_no_later_screen_from_being_named(self):
        bad, good = {"screen": "x" * 129}, {"screen": "pin"}

        def python(socket):
            app = touchgrid.Touchgrid(socket, log=lambda _: None)
            for mask in (bad, good):
                app.call("AddMask", mask=mask)
            yield
            app.call("AddMask", mask=bad)
            yield
            app.show("menu")
            yield

        def asynchronous(socket):
            with asyncio.Runner() as runner:
                app = touchgrid.AsyncTouchgrid(socket, log=lambda _: None)
                for mask in (bad, good):
                    runner.run(app.call("AddMask", mask=mask))
                yield
                runner.run(app.call("AddMask", mask=bad))
                yield
                runner.run(app.show("menu"))
                yield

        def javascript(socket):
            program = f"""
                import {{Touchgrid}} from '{ROOT}/clients/javascript/index.js';
                import {{createInterface}} from 'node:readline';
                const app = new Touchgrid({{socket: process.argv[1], log: () => {{}}}});
                for await (const line of createInterface({{input: process.stdin}})) {{
                  const {{method, ...parameters}} = JSON.parse(line);
                  await app.call(method, parameters);
                  console.log('done');
                }}
                app.close();"""
            with subprocess.Popen(["node", "--input-type=module", "-e", program, socket], text=True, bufsize=1,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE) as node:
                def call(method, **parameters):
                    print(json.dumps({"method": method, **parameters}), file=node.stdin)
                    self.assertEqual(node.stdout.readline(), "done\n")

                for mask in (bad, good):
                    call("AddMask", mask=mask)
                yield
                call("AddMask", mask=bad)
                yield
                call("SetScreen", name="menu")
                yield
                node.stdin.close()

        for client in (python, asynchronous, javascript):
            with self.subTest(client.__name__):
                self.daemon.start()
                app = client(self.daemon.socket)
                next(app)
                self.daemon.stop()
                next(app)
                self.daemon.start()
                next(app)
                self.assertEqual(self.daemon.call("GetScreen")["screen"], "menu")
                self.assertEqual([mask["screen"] for mask in self.daemon.call("GetMasks")["added"]], ["pin"])
                app.close()
                self.daemon.stop()

    def test_a_loop_over_replies_that_is_left_closes_its_connection(self):
        self.daemon.start()
        client = touchgrid.Client(self.daemon.socket)
        for _ in client.WatchTouches():
            break
        self.assertEqual(client.socket.fileno(), -1)

        async def leave():
            client = await touchgrid.AsyncClient.connect(self.daemon.socket)
            frames = client.WatchTouches()
            await anext(frames)
            await frames.aclose()
            self.assertTrue(client.ended.is_set())

        asyncio.run(leave())
        program = f"""
            import {{Client}} from '{ROOT}/clients/javascript/index.js';
            const client = await Client.connect(process.argv[1]);
            for await (const frame of client.WatchTouches()) break;
            console.log(client.ended.name);"""
        left = subprocess.run(["node", "--input-type=module", "-e", program, self.daemon.socket], capture_output=True,
                              text=True, timeout=PATIENCE)
        self.assertEqual((left.stdout, left.stderr), ("ConnectionError\n", ""))

    def test_the_packages_of_a_release_work_where_npm_and_pip_put_them(self):
        folder = pathlib.Path(self.daemon.folder)
        run = lambda *words, **options: subprocess.run(
            words, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, **options)
        for made in ("made", "again"):
            run(ROOT / "scripts/app-packages", folder / made, check=True)
        packed, wheel = sorted((folder / "made").iterdir(), key=lambda file: file.suffix)
        self.assertEqual([file.read_bytes() for file in (packed, wheel)],
                         [(folder / "again" / file.name).read_bytes() for file in (packed, wheel)])
        self.daemon.start()

        (folder / "node_modules/touchgrid").mkdir(parents=True)
        run("tar", "-xf", packed, "--strip-components=1", "-C", "node_modules/touchgrid", check=True)
        shutil.copy(ROOT / "Tests/Apps/app.ts", folder)
        checked = run("tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "es2022",
                      "--moduleResolution", "node", "app.ts")
        self.assertEqual((checked.returncode, checked.stdout), (0, ""))
        (folder / "app.mjs").write_text(
            "import {Client} from 'touchgrid'; const client = await Client.connect(process.argv[2]);"
            "console.log((await client.GetScreen()).screen); client.close();")
        asked = run("node", "app.mjs", self.daemon.socket)
        self.assertEqual((asked.stdout, asked.stderr), ("default\n", ""))

        run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--target", "site", wheel, check=True)
        asked = run(sys.executable, "-c",
                    "import sys, touchgrid; print(touchgrid.Client(sys.argv[1]).GetScreen()['screen'], touchgrid.__file__)",
                    self.daemon.socket, env={"PYTHONPATH": "site"})
        self.assertEqual((asked.stdout, asked.stderr), (f"default {folder}/site/touchgrid/__init__.py\n", ""))

    def test_nonsense_is_an_error_and_nothing_hangs(self):
        errors = {"ConnectionError", "ConnectionResetError", "BrokenPipeError", "ProtocolError", "TimeoutError"}
        for number, (what, (answer, ends)) in enumerate(NONSENSE.items()):
            path = str(pathlib.Path(self.daemon.folder, f"nonsense{number}"))
            server = Server(always(answer, ends), path)
            for client in (self.python, self.asyncio, self.javascript):
                with self.subTest(what, client=client.__name__):
                    begun = time.monotonic()
                    self.assertIn(client(path, 1), errors)
                    self.assertLess(time.monotonic() - begun, PATIENCE / 2)
            server.stop()
        server = Server(always(SCREEN, False), f"{self.daemon.folder}/good")
        self.addCleanup(server.stop)
        for client in (self.python, self.asyncio, self.javascript):
            self.assertEqual(client(f"{self.daemon.folder}/good", 3), "menu")
