"""The state that an app has set in the daemon, and its restoration after a restart."""

import sys
import time
from collections.abc import Callable, Generator, Iterable
from typing import Any

from .client import Client
from .interface import Control, Mask
from .protocol import PATH, TIMEOUT, CallError

# The maximum number of lists of controls that are restored: as many as the daemon accepts.
MOST_LISTS = 256

# A call that a connection makes: the method and its parameters. The reply is sent into the generator that yields it, or
# the error is thrown.
Call = tuple[str, dict[str, Any]]
Calls = Generator[Call, Any, Any]


def complain(text: str) -> None:
    print(f"touchgrid: {text}", file=sys.stderr)


def now() -> int:
    """The clock of touches, CLOCK_MONOTONIC, in microseconds."""
    return time.monotonic_ns() // 1000


class State:
    """The masks, controls, screens and pause of an app, which a new connection must restore.

    Its functions yield the calls to make, so that the blocking and the asynchronous client share them.
    """

    def __init__(self, masks: Iterable[Mask], follows: bool, log: Callable[[str], None]):
        self.masks: list[Mask] = list(masks)
        # The masks of AddMask calls that the daemon has not yet accepted.
        self.untried: list[Mask] = []
        self.follows = follows
        self.controls: dict[tuple[str, str | None], list[Control]] = {}
        # The screens by display; the key None is for all displays.
        self.screens: dict[str | None, str] = {}
        self.pause: dict[str, Any] | None = None
        # The masks that the daemon has no room for. While there are any, recording is paused.
        self.missing: list[Mask] = []
        self.log, self.complaint = log, ""

    def complain(self, error: Exception) -> None:
        # Do not write the same error twice in a row.
        if str(error) != self.complaint:
            self.log(str(error))
        self.complaint = str(error)

    def open(self, method: str, parameters: dict[str, Any]) -> Calls:
        """Restores everything on a new connection, masks first and names last, except state that the next call sets
        anyway."""
        self.missing = []
        if self.follows:
            yield "Follow", {}
        for mask in list(self.masks):
            try:
                yield from self.mask(mask)
            except CallError as error:
                # Never name a screen without the app's masks.
                if mask in self.masks:
                    raise
                self.complain(error)
        if self.pause is not None and not self.missing and method != "Pause":
            yield "Pause", self.pause
        for (screen, display), controls in self.controls.items():
            yield from self.attempt("SetControls", screen=screen, display=display, controls=controls)
        for display, name in self.screens.items():
            if method != "SetScreen" or parameters.get("display") != display:
                yield from self.attempt("SetScreen", name=name, display=display)

    def mask(self, mask: Mask) -> Calls:
        try:
            yield "AddMask", {"mask": mask}
        except CallError as error:
            if error.means_invalid and mask in self.untried:
                # The mask was never in force. If it were kept, every later connection would fail.
                self.masks.remove(mask)
                self.untried.remove(mask)
            if error.kind != "LimitReached":
                raise
            # Pause, so that nothing is recorded that should be masked.
            if not self.missing:
                yield "Pause", {}
            self.missing.append(mask)
            self.complain(error)
        else:
            self.untried = [other for other in self.untried if other != mask]

    def add_missing(self) -> Calls:
        """Tries again to add the masks. When all are in place, ends the pause that replaced them."""
        while self.missing:
            try:
                yield "AddMask", {"mask": self.missing[0]}
            except CallError as error:
                if error.kind != "LimitReached":
                    raise
                return
            self.missing.pop(0)
        yield ("Resume", {}) if self.pause is None else ("Pause", self.pause)

    def attempt(self, method: str, **parameters: Any) -> Calls:
        """Makes a call whose refusal must not make other calls fail."""
        try:
            yield method, parameters
        except CallError as error:
            self.complain(error)

    def is_over(self, error: Exception, is_new: bool, close: Callable[[], None]) -> bool:
        """Closes the connection if it cannot be used after an error. Returns whether the call has failed for good.
        Otherwise another attempt follows, because the connection may have been lost since the last call, for example
        by a restart of the daemon."""
        is_loss = isinstance(error, OSError)
        if is_loss or is_new:
            close()
        return is_new or not is_loss or isinstance(error, TimeoutError)

    def note(self, method: str, parameters: dict[str, Any]) -> None:
        """Records the state that a call sets, before the call is made: the app shows a screen even if the daemon is
        missing."""
        if method == "SetScreen":
            display = parameters.get("display")
            if display is None:
                self.screens = {}
            self.screens[display] = parameters["name"]
        elif method == "SetControls":
            place = parameters["screen"], parameters.get("display")
            # The newest list is last, so that the oldest is removed if there are too many.
            self.controls.pop(place, None)
            self.controls[place] = parameters["controls"]
            if len(self.controls) > MOST_LISTS:
                del self.controls[next(iter(self.controls))]
        elif method == "AddMask":
            if parameters["mask"] not in self.masks:
                self.masks.append(parameters["mask"])
                self.untried.append(parameters["mask"])
        elif method == "RemoveMask":
            for masks in (self.masks, self.untried, self.missing):
                masks[:] = [mask for mask in masks if mask != parameters["mask"]]
        elif method == "Pause":
            self.pause = parameters
        elif method == "Resume":
            self.pause = None

    def call(self, method: str, parameters: dict[str, Any]) -> Calls:
        """Makes the call on an open connection."""
        if self.missing:
            yield from self.add_missing()
        if method in ("Pause", "Resume") and self.missing:
            return None
        if method == "AddMask":
            return (yield from self.mask(parameters["mask"]))
        try:
            return (yield method, parameters)
        except CallError as error:
            # The daemon received the call too late for its time. Without a time, the screen changes now.
            if method != "SetScreen" or error.kind != "TooLate":
                raise
            return (yield method, {**parameters, "changedAtUs": None})


class Touchgrid:
    """Reports the screens of an app to Touchgrid. It never raises: if the daemon is missing, refuses a call or hangs,
    the reason is logged once, and the app continues. The next call connects again.

    Each connection gets the masks before anything else, and the screens last. If the daemon has no room for a mask,
    recording pauses. Not thread-safe.
    """

    def __init__(self, path: str = PATH, *, masks: Iterable[Mask] = (), follows: bool = False, timeout: float = TIMEOUT,
                 log: Callable[[str], None] = complain):
        """`masks`: all masks of the app. `follows`: whether the names of screens end with the connection. `timeout`:
        the total time limit of a call, including connecting, in seconds. `log`: writes one line about an error."""
        self.path, self.timeout = path, timeout
        self.state = State(masks, follows, log)
        self.client: Client | None = None

    def show(self, screen: str, display: str | None = None) -> None:
        """Names the screen. Call it just before the screen appears."""
        self.call("SetScreen", name=screen, display=display, changedAtUs=now())

    def call(self, method: str, **parameters: Any) -> Any:
        """Calls a method, such as `call("TagSession", tags={"outcome": "paid"})`. Returns its reply; None if it failed.

        Masks, controls, screens and a pause are restored on later connections.
        """
        try:
            return self.ask(method, **parameters)
        except (OSError, CallError) as error:
            self.state.complain(error)
            return None

    def ask(self, method: str, **parameters: Any) -> Any:
        """Like `call`, but raises CallError and OSError."""
        self.state.note(method, parameters)
        end = time.monotonic() + self.timeout
        is_new = False
        while True:
            try:
                if self.client is None:
                    is_new = True
                    self.client = Client(self.path, max(0.001, end - time.monotonic()))
                    self.run(self.state.open(method, parameters), end)
                reply = self.run(self.state.call(method, parameters), end)
                self.state.complaint = ""
                return reply
            except (OSError, CallError) as error:
                if self.state.is_over(error, is_new, self.close):
                    raise

    def run(self, calls: Calls, end: float) -> Any:
        assert self.client is not None
        try:
            call = next(calls)
            while True:
                self.client.timeout = end - time.monotonic()
                try:
                    reply = self.client.call(call[0], **call[1])
                except CallError as error:
                    call = calls.throw(error)
                else:
                    call = calls.send(reply)
        except StopIteration as stop:
            return stop.value

    def close(self) -> None:
        """Ends the connection. The next call opens another."""
        if self.client is not None:
            self.client.close()
            self.client = None
