"""The types and methods of io.touchgrid. Made by scripts/interface from io.touchgrid.varlink."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal, NotRequired, TypedDict

# The phase of a touch in a frame. stationary: it stayed where it was. cancelled: it ended without a touch-up, see
# Cancellation.
Phase = Literal["began", "moved", "stationary", "ended", "cancelled"]

# The reason why a touch was cancelled. palm: the device reported a palm. lost: the kernel dropped events, and the touch
# was gone afterwards. removed: the device was removed, or the daemon no longer reads it. masked: the touch entered a
# mask, or masks changed. paused: recording was paused.
Cancellation = Literal["palm", "lost", "removed", "masked", "paused"]

# The source of a value about a device or a display: the configuration of the daemon, udev, the kernel's driver, udev's
# property WL_OUTPUT, the graphics driver (drm), a client of this interface, or a guess.
Source = Literal["configuration", "udev", "kernel", "WL_OUTPUT", "drm", "client", "guess"]

# The form in which a device reports its contacts. slots: in numbered slots (multitouch protocol B). anonymous: without
# numbers (multitouch protocol A). single: one contact.
ContactProtocol = Literal["slots", "anonymous", "single"]

# automatic: the first touch begins a session. manual: only clients begin sessions.
SessionMode = Literal["automatic", "manual"]

# The reason why a session ended. idle: there was no touch for idle_timeout. max_duration: it reached the maximum
# duration. client: a client ended it. stopped: the daemon stopped. recovered: the daemon or the machine crashed, and
# the next start of the daemon ended the session at its last checkpoint.
SessionEnd = Literal["idle", "max_duration", "client", "stopped", "recovered"]

# The quantity that a grid counts. taps: one for each touch, in the block where it began. trail: one for each block that
# a touch enters. dwell: milliseconds of contact.
Layer = Literal["taps", "trail", "dwell"]

# active: there is a touch, or there was one within the time that the call names. idle: there was none.
ActivityState = Literal["active", "idle"]


class Point(TypedDict):
    x: float
    y: float


class Block(TypedDict):
    column: int
    row: int


class Touch(TypedDict):
    """One touch in one frame."""
    # The identity of the touch: below 2^53, the same from touch-down to touch-up as long as any client watches, and
    # never reused.
    id: int
    phase: Phase
    # None unless phase is cancelled.
    cancellation: NotRequired[Cancellation | None]
    point: Point
    # The position in the frame before; None if the touch began in this frame.
    previous: NotRequired[Point | None]
    block: Block
    # The key of the device.
    device: str
    display: str
    # The screen that was shown when the touch began. The whole touch belongs to it.
    screen: str
    # Whether the touch was down before the daemon opened the device.
    preexisting: bool


class Range(TypedDict):
    """A range that includes both ends. minimum < maximum."""
    minimum: int
    maximum: int


class DeviceTally(TypedDict):
    """Counters of a device since the daemon opened it."""
    touches: int
    # The number of times that the kernel dropped events (SYN_DROPPED). The daemon may have missed touches then.
    drops: int
    suspectedGhosts: int
    # Touches of a virtual duplicate, which repeat those of a real touchscreen.
    echoes: int
    # Touches that belong to no session: they began while recording was paused, or while no session was running and they
    # could not begin one.
    unrecorded: int


class Device(TypedDict):
    """A touchscreen that the daemon reads."""
    # Unique among the devices that the daemon reads. It stays the same when the device is plugged in again.
    key: str
    # The device node, such as /dev/input/event3; None in the replay of a recording.
    node: NotRequired[str | None]
    # The name that the device gives itself, made printable.
    name: str
    contactProtocol: ContactProtocol
    # The highest number of simultaneous contacts that the daemon follows.
    slots: int
    # The ranges of the axes, in raw units of the device, and their source.
    x: Range
    y: Range
    # These ranges, extended by values outside of them that the device has sent, outside of masks. None if it has sent
    # none.
    sentX: NotRequired[Range | None]
    sentY: NotRequired[Range | None]
    rangeSource: Source
    # The calibration matrix that the daemon applies to normalised coordinates: six numbers, its first two rows.
    matrix: list[float]
    matrixSource: Source
    # The display that the device lies on.
    display: str
    displaySource: Source
    # Whether a program made the device through uinput.
    isVirtual: bool
    # Touches that are down, excluding masked ones.
    touchesDown: int
    # The number of contacts that are down according to the kernel but have sent no events for half a second, which
    # means that another program has grabbed the device (EVIOCGRAB). None if the kernel does not report contacts of this
    # device.
    unheardContacts: NotRequired[int | None]
    # The time since the last event of the device, rounded down to whole minutes. None if there was none yet.
    silentForMs: NotRequired[int | None]
    tally: DeviceTally


class RefusedDevice(TypedDict):
    """A device that udev classifies as a touchscreen, but the daemon does not read."""
    node: str
    name: str
    reason: str


class Geometry(TypedDict):
    """The shape of a display, and of the grid laid over it."""
    # The size of the display in pixels, before rotation: 1 to 16384 each.
    pixelWidth: int
    pixelHeight: int
    # Pixels per point: 0.25 to 16.
    scale: float
    # The clockwise rotation of the picture, in degrees: 0, 90, 180 or 270.
    rotation: int
    # The side of a block in points: a power of two, 1 to 256.
    blockSize: int
    # The size of the picture in points: pixels / scale, after rotation.
    width: float
    height: float
    # The size of a grid in blocks: width / blockSize and height / blockSize, rounded up.
    columns: int
    rows: int


class Display(TypedDict):
    name: str
    geometry: Geometry
    geometrySource: Source
    # The screen that the display shows.
    screen: str
    # The keys of the devices that lie on the display.
    devices: list[str]


class Totals(TypedDict):
    """The totals of a session or a day, in touches unless stated otherwise. They add up: begun = counted + masked +
    palms + suspectedGhosts + swallowed + stillDown.
    """
    begun: int
    # Touches that were added to the grids.
    counted: int
    masked: int
    palms: int
    # Touches without motion or duration, at the same position, in a regular rhythm.
    suspectedGhosts: int
    # Touches that the app did not get: they began in a cover of the configuration, or in a span of Swallow.
    swallowed: int
    # Touches that are down, or that ended so recently that the name of their screen may still arrive.
    stillDown: int
    # Of those begun: touches that were down before the daemon opened the device. This and the following members are not
    # part of the sum.
    preexisting: int
    # Of those begun: touches that were cancelled for a reason other than being a palm.
    cancelled: int
    # Samples outside the range of the device or outside the display.
    clampedSamples: int
    # The number of times that the kernel dropped events (SYN_DROPPED).
    drops: int


class Session(TypedDict):
    # Ids rise and are never reused.
    id: int
    # The day on which it began, in the kiosk's local calendar: YYYY-MM-DD. Only replies of ListSessions have it; None
    # in others.
    day: NotRequired[str | None]
    beganAtMs: int
    # The time of its end. While it runs, the last time when a touch was active.
    lastActiveAtMs: int
    # None while it runs.
    end: NotRequired[SessionEnd | None]
    tags: dict[str, str]
    totals: Totals


class Span(TypedDict):
    """A span of time. A session is in it if it began at sinceAtMs or later and before untilAtMs. None: no bound on that
    side.
    """
    sinceAtMs: NotRequired[int | None]
    untilAtMs: NotRequired[int | None]


# Hours of the day on the kiosk's clock. A session is in them if it began at the hour from (0 to 23) or later, and
# before the hour until (0 to 24). If until is less than from, they go over midnight.
HourRange = TypedDict("HourRange", {"from": int, "until": int})


class Day(TypedDict):
    """One day of the kiosk's local calendar, and the sessions that began on it."""
    # YYYY-MM-DD.
    day: str
    sessions: int
    # The totals of all these sessions. None if they are unknown, because the sessions were deleted and the store is
    # from a version that kept no totals for days.
    totals: NotRequired[Totals | None]
    # The number of sessions that began in each local hour: 24 numbers. None if unknown, as with totals.
    hours: NotRequired[list[int] | None]
    # The number of suspected ghosts on this day while no session ran.
    ghostsOutside: int


class GhostPlace(TypedDict):
    """The suspected ghosts of one touchscreen at one place on one day, outside of sessions."""
    # The key of the device.
    device: str
    # In raw units of the device.
    x: int
    y: int
    # From one to the next. 0: contacts shorter than 20 ms in a cover; x and y are then the middle of one of the 64 x 48
    # cells of the touchscreen.
    periodMs: int
    touches: int


class Screen(TypedDict):
    """One screen on one display geometry, with the sums of those sessions of a span that showed it."""
    screen: str
    display: str
    geometry: Geometry
    sessions: int
    # Touches counted on the screen.
    touches: int
    shownMs: int


class Grid(TypedDict):
    """One layer of one screen on one display geometry, summed over sessions. Its arrays have columns x rows elements,
    row by row from the top left.
    """
    screen: str
    display: str
    geometry: Geometry
    layer: Layer
    # The number of sessions that showed the screen, with or without touches. The mean divides by it.
    sessions: int
    # The number of days of the kiosk's local calendar on which these sessions began.
    days: int
    # The total time for which these sessions showed the screen.
    shownMs: int
    # Touches counted on the screen.
    touches: int
    # The rectangles that were masked in at least one of these sessions. A low count inside them does not mean that few
    # people touched there.
    masks: list[Rectangle]
    # For each block, the sum, the mean and the variance of the sessions' counts. The variance divides by n - 1; it is
    # None for fewer than two sessions.
    sum: list[int]
    mean: list[float]
    variance: NotRequired[list[float] | None]
    # For each block, the sum of the squares of the sessions' counts, which can exceed 64 bits. Divided by 2^63, its
    # remainder is in sumOfSquares and its quotient in sumOfSquaresHigh. sumOfSquaresHigh is None if all quotients are
    # 0.
    sumOfSquares: list[int]
    sumOfSquaresHigh: NotRequired[list[int] | None]
    # The number of sessions that touched each block.
    touchedSessions: list[int]
    # The counts of single sessions in the blocks that fewer sessions touched than sessionCountsBelow, ordered by block
    # and session. None without sessionCountsBelow, if some of the sessions have been deleted, and if there are more
    # than 100,000 in all grids together.
    sessionCounts: NotRequired[list[SessionCount] | None]


class SessionCount(TypedDict):
    """The count of one session in one block; the block's index counts from 0, row by row."""
    block: int
    session: int
    count: int


class Rectangle(TypedDict):
    """A rectangle in points of the display."""
    x: float
    y: float
    width: float
    height: float


class Mask(TypedDict):
    """A masked screen, or a masked rectangle of a screen. Touches in it add to the number of masked touches of their
    session. Their positions are not recorded.
    """
    screen: str
    # None: on every display.
    display: NotRequired[str | None]
    # None: the whole screen.
    rectangle: NotRequired[Rectangle | None]


class Control(TypedDict):
    """A named rectangle of a screen that people touch, such as a button."""
    # Unique on its screen. It must not contain people's input.
    name: str
    # Its edges belong to it.
    rectangle: Rectangle
    # Whether rage taps are counted; None: True. False: for controls that people tap quickly on purpose.
    rage: NotRequired[bool | None]


class ScreenControls(TypedDict):
    """The controls of a screen."""
    screen: str
    # None: on every display without a list of its own.
    display: NotRequired[str | None]
    # From back to front: where controls overlap, a touch hits the last one.
    controls: list[Control]


class CountedView(TypedDict):
    """A screen on a display geometry, over the sessions of a call."""
    # The sessions that showed it, and the touches that were counted on it.
    sessions: int
    touches: int
    # The rectangles that were masked in at least one of these sessions.
    masks: list[Rectangle]
    # The height of the lower edge of the display above the floor now, in mm; None if it is unknown.
    bottomMm: NotRequired[float | None]


class Counts(TypedDict):
    """The counts of one subject, added up over sessions. docs/store-format.md explains the subjects of each kind, and
    their numbers.
    """
    # The day on which the sessions began, in the kiosk's local calendar: YYYY-MM-DD. None: the counts are the sum of
    # all sessions that the call covers.
    day: NotRequired[str | None]
    # The subject of the counts, as JSON.
    subject: str
    # The sessions that have counts of it.
    sessions: int
    # The places of the numbers that are not 0, counted from 0, in rising order; and these numbers.
    places: list[int]
    counts: list[int]
    # The view that they belong to. None: none, or the call has byDay.
    view: NotRequired[CountedView | None]


class Store(TypedDict):
    path: str
    # The size of the database and the files beside it.
    bytes: int
    # The reason why the last attempt to write failed; None if it succeeded. The daemon keeps trying.
    error: NotRequired[str | None]
    # The approximate size of the sessions that wait in memory to be written, in bytes. At 64 MiB the daemon discards
    # ended sessions, oldest first.
    waitingBytes: int
    # The duration of the current write so far; None while there is nothing to write. A large value means that the disk
    # hangs.
    busyForMs: NotRequired[int | None]
    # The number of ended sessions that the daemon has discarded since it started, because neither the disk nor the
    # memory had room for them.
    givenUp: int
    # The path to which the daemon has moved a damaged store since it started; None if it has not. 'touchgrid store
    # recover' reads the remaining data in that file.
    movedAside: NotRequired[str | None]


class GridMemory(TypedDict):
    """The memory that the grids of open sessions take."""
    # The size of the counters of all open sessions.
    bytes: int
    # The maximum size of these counters.
    limitBytes: int
    # Whether touches of the running session were counted on the screen "other", or without grids, because there was no
    # memory for the grids of their screens.
    isFull: bool


class CoveredDisplay(TypedDict):
    """A display with a touchscreen, and its covers: the rectangles of the configuration in which all touches are kept
    from the app.
    """
    name: str
    # Its size in points.
    width: float
    height: float
    covers: list[Rectangle]


class GetStatusReply(TypedDict):
    """The reply of GetStatus."""
    version: str
    uptimeMs: int
    mode: SessionMode
    # The running session; None if no session is running.
    session: NotRequired[Session | None]
    # The time at which the last touch began, ignoring masked touches, palms and suspected ghosts; None if none has
    # since the daemon started. While there are masks, it changes only when a touch has been committed.
    lastTouchAtMs: NotRequired[int | None]
    touchesDown: int
    # The number of clients that pause recording; 0 while it is not paused.
    pauses: int
    # The sums over all devices since the daemon started.
    tally: DeviceTally
    devices: int
    refusedDevices: int
    # The numbers of connections to this socket, of running WatchTouches calls, and of connections that called Follow.
    clients: int
    watchers: int
    followers: int
    # The number of masks that GetMasks lists as widened.
    widenedMasks: int
    # Whether every touch is masked, because there is no configuration file yet.
    masksEverything: bool
    # The keys of the configuration, such as "path in [socket]", whose values have changed since the daemon started and
    # take effect only after a restart.
    restartNeededFor: list[str]
    # The group whose members have the role app; None if no group has it.
    appGroup: NotRequired[str | None]
    grids: GridMemory
    store: Store


class GetDevicesReply(TypedDict):
    """The reply of GetDevices."""
    devices: list[Device]
    refused: list[RefusedDevice]


class GetDisplaysReply(TypedDict):
    """The reply of GetDisplays."""
    displays: list[Display]


class SetDisplayReply(TypedDict):
    """The reply of SetDisplay."""
    display: Display


class GetScreenReply(TypedDict):
    """The reply of GetScreen."""
    screen: str
    # Rises whenever the screen changes, even to one that was shown only for a moment. If two replies have the same
    # number, the display showed this screen all the time between them.
    revision: int


class BeginSessionReply(TypedDict):
    """The reply of BeginSession."""
    session: int


class EndSessionReply(TypedDict):
    """The reply of EndSession."""
    session: int


class TagSessionReply(TypedDict):
    """The reply of TagSession."""
    session: int


class PauseReply(TypedDict):
    """The reply of Pause."""
    isPaused: bool


class WatchCoversReply(TypedDict):
    """The reply of WatchCovers."""
    displays: list[CoveredDisplay]
    # Whether a client suspends the guard.
    isGuardSuspended: bool


class GetMasksReply(TypedDict):
    """The reply of GetMasks."""
    configured: list[Mask]
    added: list[Mask]
    # Masks of whole screens that the daemon adds while it only guesses the size of a display, or the display that a
    # touchscreen lies on, or knows that a touchscreen sends positions far outside of its ranges. There is one for each
    # screen with a mask that may concern that touchscreen, on its display.
    widened: list[Mask]
    # Whether every touch is masked, because there is no configuration file yet.
    everything: bool
    # Rises whenever the masks change, even for a moment. If two replies have the same number, the masks did not change
    # between them.
    revision: int


class GetControlsReply(TypedDict):
    """The reply of GetControls."""
    configured: list[ScreenControls]
    added: list[ScreenControls]


class SetControlsReply(TypedDict):
    """The reply of SetControls."""
    # False if the screen has had 64 other layouts in a day, or all screens together 1024: it then has no controls of
    # clients.
    isCounted: bool


class ListSessionsReply(TypedDict):
    """The reply of ListSessions."""
    sessions: list[Session]


class ListDaysReply(TypedDict):
    """The reply of ListDays."""
    days: list[Day]


class ListGhostsReply(TypedDict):
    """The reply of ListGhosts."""
    ghosts: list[GhostPlace]


class ListScreensReply(TypedDict):
    """The reply of ListScreens."""
    screens: list[Screen]


class GetGridsReply(TypedDict):
    """The reply of GetGrids."""
    grids: list[Grid]


class GetCountsReply(TypedDict):
    """The reply of GetCounts."""
    counts: list[Counts]
    # The number of subjects that are left out, because fewer than 5 sessions have them: of flows, the changes from one
    # screen to another. With byDay, a subject counts once for each day. Only the last reply has this number, the others
    # have 0.
    hidden: int


class ForgetReply(TypedDict):
    """The reply of Forget."""
    # The number of deleted sessions. touches: the number of touches that began in them. days: the number of days on
    # which they began.
    sessions: int
    touches: int
    days: int
    # The reason why traces of the deleted sessions remain in the store's files; None if they were erased. The next
    # Forget erases them as well.
    notErased: NotRequired[str | None]


class WatchTouchesReply(TypedDict):
    """The reply of WatchTouches."""
    atUs: int
    touches: list[Touch]
    # All displays, in the first reply and when the geometry, the devices or the screen of one have changed; None
    # otherwise.
    displays: NotRequired[list[Display] | None]
    # All masks, in the first reply and when one was added or removed, so that a client that draws touches can keep out
    # of masks; None otherwise.
    masks: NotRequired[list[Mask] | None]


class WatchActivityReply(TypedDict):
    """The reply of WatchActivity."""
    # None in the first reply if there was no touch since the daemon started, less than idleAfterMs ago.
    state: NotRequired[ActivityState | None]
    # The start of the state. idle: the last touch was in the 5 s before; if there was none, the start of the daemon.
    # active: the time of the first touch; None in the first reply. None without a state.
    sinceAtMs: NotRequired[int | None]


class Methods:
    """The methods of the daemon."""

    def call(self, method: str, **parameters: Any) -> Any:
        raise NotImplementedError

    def stream(self, method: str, **parameters: Any) -> Iterator[Any]:
        raise NotImplementedError

    def GetStatus(self) -> GetStatusReply:
        """Returns the state of the daemon."""
        reply: GetStatusReply = self.call("GetStatus")
        return reply

    def GetDevices(self) -> GetDevicesReply:
        """Lists the touchscreens, including those that the daemon does not read."""
        reply: GetDevicesReply = self.call("GetDevices")
        return reply

    def GetDisplays(self) -> GetDisplaysReply:
        """Lists the displays that touchscreens lie on."""
        reply: GetDisplaysReply = self.call("GetDisplays")
        return reply

    def SetDisplay(self, name: str, *, pixelWidth: int | None = None, pixelHeight: int | None = None,
            scale: float | None = None, rotation: int | None = None) -> SetDisplayReply:
        """Turns a display or gives it another geometry, until the daemon stops. Parameters that are None keep their
        value. If all are None, the change is undone: the display gets the geometry that other sources give it.
        Touches that are down keep the geometry on which they began. At most 60 changes a minute, of all clients
        together.

        name: A display that a touchscreen lies on. The configuration must mask no rectangle on it, because the
        change would move the content under the rectangle.

        pixelWidth: The size of the display before rotation; both or neither.

        pixelHeight: The size of the display before rotation; both or neither.
        """
        reply: SetDisplayReply = self.call("SetDisplay", name=name, pixelWidth=pixelWidth, pixelHeight=pixelHeight, scale=scale, rotation=rotation)
        return reply

    def SetDisplayMode(self, name: str, *, pixelWidth: int | None = None, pixelHeight: int | None = None) -> None:
        """Reports the mode in which a compositor drives a display, as touchgrid-follow does. The mode takes precedence
        over the one that the kernel prefers. A size from the configuration or from SetDisplay takes precedence over
        the mode. The report holds until the connection has been closed for 10 s. If the configuration masks a
        rectangle of the display without giving its size, a mode that is not the kernel's makes the size uncertain
        until the configuration is reloaded: see GetMasks. At most 16 displays for one connection, and 60 changes a
        minute for one user.

        name: The connector, such as HDMI-A-1. A touchscreen need not lie on it yet.

        pixelWidth: The size of the mode before rotation. If both are None, the report is withdrawn.

        pixelHeight: The size of the mode before rotation. If both are None, the report is withdrawn.
        """
        self.call("SetDisplayMode", name=name, pixelWidth=pixelWidth, pixelHeight=pixelHeight)

    def GetScreen(self, *, display: str | None = None) -> GetScreenReply:
        """Returns the screen that a display shows.

        display: None: the only display; if there are several or none, the reply has the screen that was last set for
        all displays.
        """
        reply: GetScreenReply = self.call("GetScreen", display=display)
        return reply

    def SetScreen(self, name: str, *, display: str | None = None, changedAtUs: int | None = None) -> None:
        """Tells the daemon that the app shows another screen.

        display: None: all displays. If no touchscreen lies on the display, the reply is NoSuchDisplay, but the
        display shows the screen as soon as one does. At most 16 such displays are remembered.

        changedAtUs: The time of the change, on CLOCK_MONOTONIC; None: now. Touches that begin from then on belong to
        the new screen. The change may be at most late_names ago (250 ms unless configured), and must not be in the
        future. If it is longer ago, the reply is TooLate; a screen with a mask is shown all the same, from the
        earliest time that is allowed.
        """
        self.call("SetScreen", name=name, display=display, changedAtUs=changedAtUs)

    def Follow(self) -> None:
        """Makes the screen names that this connection sets by SetScreen, before and after this call, end with the
        connection. 2 s after the connection has ended, the screen is "default" again, unless a client has named one
        since. A screen with a mask keeps its name, because the display may still show it.
        """
        self.call("Follow")

    def BeginSession(self, *, tags: dict[str, str] | None = None) -> BeginSessionReply:
        """Begins a session and ends the running one. At most 60 calls a minute, by all clients together.

        tags: At most 32. Keys have 1 to 64 bytes, values at most 128, of printable text.
        """
        reply: BeginSessionReply = self.call("BeginSession", tags=tags)
        return reply

    def EndSession(self) -> EndSessionReply:
        """Ends the running session. Touches that are down still count for it if they end within about 5 s."""
        reply: EndSessionReply = self.call("EndSession")
        return reply

    def TagSession(self, tags: dict[str, str]) -> TagSessionReply:
        """Sets tags of the running session. Its other tags stay."""
        reply: TagSessionReply = self.call("TagSession", tags=tags)
        return reply

    def Pause(self, *, durationMs: int | None = None) -> PauseReply:
        """Pauses recording and live touches. Touches that begin during the pause are not recorded, and touches that are
        down end where they are. Each connection has at most one pause; a new one replaces it. Recording resumes when
        no connection has a pause. At most 64 pauses at a time.

        The pause ends with its connection at the latest. Clients with the role operate end it that way, because they
        may not call Resume. If the call says "more", a second reply comes when the pause has ended. isPaused is True
        in the first reply. In the second, it is True if other clients still pause recording.

        durationMs: The duration of the pause, 1 to 86400000; None: until Resume, or until the connection ends.
        """
        reply: PauseReply = self.call("Pause", durationMs=durationMs)
        return reply

    def Resume(self, *, all: bool | None = None) -> None:
        """Ends the pause of this connection. Does nothing if it has none.

        all: True ends the pauses of all connections.
        """
        self.call("Resume", all=all)

    def Swallow(self, sinceAtUs: int, isUse: bool, *, display: str | None = None, untilAtUs: int | None = None) -> None:
        """Counts the touches that begin in a span of time as swallowed: the caller keeps them from the app. They are in
        the totals, and in no grid. A touch in a mask stays masked. Touches that are already counted do not change: a
        touch is counted once it has ended and late_names have passed since it began.

        Another call of the connection with the same display and sinceAtUs replaces the span. All spans of a
        connection end with it. At most 64 spans at a time, of all clients.

        display: None: every display.

        untilAtUs: A touch that begins at this time belongs to the app again; None: until another call, or until the
        connection ends.

        isUse: True if the touches are those of a person who uses the kiosk, as the one that wakes a dark screen:
        they begin a session and count as activity. False if not, as while the glass is wiped.
        """
        self.call("Swallow", display=display, sinceAtUs=sinceAtUs, untilAtUs=untilAtUs, isUse=isUse)

    def WatchCovers(self) -> Iterator[WatchCoversReply]:
        """Sends the covers until the connection ends. Needs "more". The first reply comes immediately, and one reply
        follows for each change. Touches that begin in a cover count as swallowed, and are no activity, whether or
        not the caller keeps them from the app. A touch in a mask stays masked.
        """
        return self.stream("WatchCovers")

    def SuspendGuard(self) -> Iterator[None]:
        """Suspends the guard, "touchgrid guard", until the connection ends: it takes no touch, and makes no screen
        dark. Needs "more". The only reply comes immediately.
        """
        return self.stream("SuspendGuard")

    def GetMasks(self) -> GetMasksReply:
        """Lists the masks of the configuration, and those that clients have added."""
        reply: GetMasksReply = self.call("GetMasks")
        return reply

    def AddMask(self, mask: Mask) -> None:
        """Adds a mask, until a client removes it or the daemon stops. It also applies to touches that are not yet
        counted. A mask that must always apply belongs in the configuration. Clients can add at most 256 masks;
        adding a mask again changes nothing.
        """
        self.call("AddMask", mask=mask)

    def RemoveMask(self, mask: Mask) -> None:
        """Removes a mask that clients have added, regardless of which clients added it and how many times. The mask
        must be equal to the added one in every member.
        """
        self.call("RemoveMask", mask=mask)

    def GetControls(self) -> GetControlsReply:
        """Lists the controls of the configuration, and those that clients have set."""
        reply: GetControlsReply = self.call("GetControls")
        return reply

    def SetControls(self, screen: str, controls: list[Control], *, display: str | None = None) -> SetControlsReply:
        """Sets the controls of a screen, in place of those that clients have set for it before, until the daemon stops.
        Controls of the configuration stay; they lie below. Call it whenever the layout of the screen changes:
        touches that began before are compared with the controls before. A screen has at most 256 controls, and those
        of clients are at most 4096, on at most 256 screens.

        display: None: every display without a list of its own.

        controls: From back to front; empty: none.
        """
        reply: SetControlsReply = self.call("SetControls", screen=screen, display=display, controls=controls)
        return reply

    def AddResponse(self, screen: str, control: str, *, display: str | None = None, endedAtUs: int | None = None,
            responseMs: int | None = None) -> None:
        """Reports the time from a touch of a control to a change of the screen. It counts if a touch that was counted
        began on this control and ended within 250 ms of endedAtUs, once for each touch. Otherwise it is ignored, as
        on a screen with a mask, for touches that may be ghosts, and for those of ended sessions. It may come before
        the touch is counted.

        screen: The screen that was shown when the touch began.

        display: None: any.

        endedAtUs: The time at which the touch ended, on CLOCK_MONOTONIC: at most 5 s ago. None: responseMs ago, or
        2.5 s ago without responseMs.

        responseMs: The time from the end of the touch until the screen changed, 0 to 2500. None: it did not change
        within 2.5 s.
        """
        self.call("AddResponse", screen=screen, display=display, control=control, endedAtUs=endedAtUs, responseMs=responseMs)

    def ListSessions(self, *, span: Span | None = None, tags: dict[str, str] | None = None,
            weekdays: list[int] | None = None, hours: HourRange | None = None) -> ListSessionsReply:
        """Lists the sessions that began in the span, oldest first, including the running one up to now. With "more",
        the replies have at most 100 sessions each.

        tags: Only sessions that have all of these tags.

        weekdays: Only sessions that began on one of these days of the kiosk's local calendar, 1 (Monday) to 7
        (Sunday).

        hours: Only sessions that began in these hours, which must not be empty and not cover the whole day. None:
        all. If sessions of the span were recorded in another time zone, the call fails with StoreFailed.
        """
        reply: ListSessionsReply = self.call("ListSessions", span=span, tags=tags, weekdays=weekdays, hours=hours)
        return reply

    def ListDays(self, *, span: Span | None = None, weekdays: list[int] | None = None) -> ListDaysReply:
        """Lists the days on which sessions of the span began, oldest first. The list includes days from which all
        sessions are deleted, and days with only suspected ghosts. With "more", the replies have at most 100 days
        each.

        weekdays: Only days that are one of these, 1 (Monday) to 7 (Sunday). None: all.
        """
        reply: ListDaysReply = self.call("ListDays", span=span, weekdays=weekdays)
        return reply

    def ListGhosts(self, day: str) -> ListGhostsReply:
        """Lists the suspected ghosts of a day outside of sessions.

        day: YYYY-MM-DD, as in Day.
        """
        reply: ListGhostsReply = self.call("ListGhosts", day=day)
        return reply

    def ListScreens(self, *, span: Span | None = None) -> ListScreensReply:
        """Lists the screens that were shown in the span. With "more", the replies have at most 100 screens each."""
        reply: ListScreensReply = self.call("ListScreens", span=span)
        return reply

    def GetGrids(self, *, layer: Layer | None = None, screen: str | None = None, display: str | None = None,
            session: int | None = None, span: Span | None = None, tags: dict[str, str] | None = None,
            weekdays: list[int] | None = None, hours: HourRange | None = None, day: str | None = None,
            live: bool | None = None, sessionCountsBelow: int | None = None) -> GetGridsReply:
        """Returns grids, one for each screen, display and geometry. With "more", each reply has one grid.

        A call names at most one of session, day, live, and span with tags, weekdays and hours. If it names none, the
        grids cover all time.

        layer: None: taps.

        screen: None: all.

        display: None: all.

        session: The grids cover this session alone.

        span: The grids cover the sessions that began in the span, have all of these tags, and began on these
        weekdays and in these hours, as for ListSessions. The tags and hours of deleted sessions are unknown: if some
        sessions of the span were deleted, a call with tags or hours fails with StoreFailed, whose message names the
        day from which on they are known.

        tags: The grids cover the sessions that began in the span, have all of these tags, and began on these
        weekdays and in these hours, as for ListSessions. The tags and hours of deleted sessions are unknown: if some
        sessions of the span were deleted, a call with tags or hours fails with StoreFailed, whose message names the
        day from which on they are known.

        weekdays: The grids cover the sessions that began in the span, have all of these tags, and began on these
        weekdays and in these hours, as for ListSessions. The tags and hours of deleted sessions are unknown: if some
        sessions of the span were deleted, a call with tags or hours fails with StoreFailed, whose message names the
        day from which on they are known.

        hours: The grids cover the sessions that began in the span, have all of these tags, and began on these
        weekdays and in these hours, as for ListSessions. The tags and hours of deleted sessions are unknown: if some
        sessions of the span were deleted, a call with tags or hours fails with StoreFailed, whose message names the
        day from which on they are known.

        day: The grids cover the sessions that began on this day of the kiosk's local calendar, YYYY-MM-DD.

        live: True: the grids cover the running session, up to now.

        sessionCountsBelow: 2 to 10: also returns the counts of single sessions, in the blocks that fewer sessions
        than this touched. None: no such counts. It cannot be combined with live.
        """
        reply: GetGridsReply = self.call("GetGrids", layer=layer, screen=screen, display=display, session=session, span=span, tags=tags, weekdays=weekdays, hours=hours, day=day, live=live, sessionCountsBelow=sessionCountsBelow)
        return reply

    def GetCounts(self, kind: str, *, screen: str | None = None, display: str | None = None, session: int | None = None,
            span: Span | None = None, tags: dict[str, str] | None = None, weekdays: list[int] | None = None,
            hours: HourRange | None = None, day: str | None = None, byDay: bool | None = None) -> GetCountsReply:
        """Returns the counts of a kind, one for each subject, in the order of the days. With "more", each reply has
        some of them. The running session counts as of its last checkpoint. Flows count a session once it has ended;
        they leave out those in which recording was paused, or screens changed very often.

        kind: "controls"; "gestures"; "flow", the changes between screens; or "panel", the counts of touchscreens.

        screen: Only counts that belong to this screen. Those of flows and panels belong to none.

        display: Only counts that belong to this screen. Those of flows and panels belong to none.

        session: As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and
        session, tags and hours are refused.

        span: As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and
        session, tags and hours are refused.

        tags: As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and
        session, tags and hours are refused.

        weekdays: As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and
        session, tags and hours are refused.

        hours: As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and
        session, tags and hours are refused.

        day: As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and
        session, tags and hours are refused.

        byDay: True: each day has counts of its own.
        """
        reply: GetCountsReply = self.call("GetCounts", kind=kind, screen=screen, display=display, session=session, span=span, tags=tags, weekdays=weekdays, hours=hours, day=day, byDay=byDay)
        return reply

    def Forget(self, *, span: Span | None = None, session: int | None = None) -> ForgetReply:
        """Deletes sessions from the store, subtracts them from the sums of their days, and erases them in the store's
        files. They cannot be restored. A selected session that is running, or waiting for its last touches to end,
        ends at once and is deleted as well; the next touch begins another one (with mode = "manual" a client does).
        The reply comes when the change is on the disk. A call names either span or session.

        span: Selects the sessions that began in it. On days that lie entirely in the span, also deletes the
        suspected ghosts outside of sessions. A span without bounds covers all time. If it covers only a part of a
        day that has already lost some of its sessions, the call fails with StoreFailed and deletes nothing, but a
        selected session that was running has ended.

        session: The id of the one session to delete.
        """
        reply: ForgetReply = self.call("Forget", span=span, session=session)
        return reply

    def WatchTouches(self) -> Iterator[WatchTouchesReply]:
        """Sends the touches frame by frame until the connection ends. Needs "more".

        The first reply comes immediately, with the touches that are down (as stationary), all displays and all
        masks. One reply follows for each frame in which a touch began, moved or ended, and for changes of displays
        and masks. While there are masks, frames are delayed by late_names, because a late screen name may still mask
        touches of that time. Touches in masks are never sent. A touch that slides into a mask is sent up to the
        mask, and is then cancelled. The daemon disconnects a client that does not read its replies, with TooSlow.
        """
        return self.stream("WatchTouches")

    def WatchActivity(self, idleAfterMs: int) -> Iterator[WatchActivityReply]:
        """Reports whether the touchscreens are in use, until the connection ends. Needs "more".

        The first reply comes immediately, and one reply follows for each change. idle is sent when there was no
        touch for idleAfterMs, and up to 5 s later: the times of touches are rounded up to 5 s, because single times
        could reveal the keys that are typed in a mask. active is sent immediately at the first touch after that.
        Touches in masks, during pauses and outside of sessions count like all others. Palms and suspected ghosts do
        not count. While a finger stays down, the state is active. During a pause, a finger counts only at touch-down
        and while it moves, and palms count too. Time in suspend counts as time without touches. Without a
        touchscreen the state is idle.

        idleAfterMs: 5000 to 86400000.
        """
        return self.stream("WatchActivity", idleAfterMs=idleAfterMs)


class AsyncMethods:
    """The methods of the daemon, for asyncio."""

    async def call(self, method: str, **parameters: Any) -> Any:
        raise NotImplementedError

    def stream(self, method: str, **parameters: Any) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def GetStatus(self) -> GetStatusReply:
        reply: GetStatusReply = await self.call("GetStatus")
        return reply

    async def GetDevices(self) -> GetDevicesReply:
        reply: GetDevicesReply = await self.call("GetDevices")
        return reply

    async def GetDisplays(self) -> GetDisplaysReply:
        reply: GetDisplaysReply = await self.call("GetDisplays")
        return reply

    async def SetDisplay(self, name: str, *, pixelWidth: int | None = None, pixelHeight: int | None = None,
            scale: float | None = None, rotation: int | None = None) -> SetDisplayReply:
        reply: SetDisplayReply = await self.call("SetDisplay", name=name, pixelWidth=pixelWidth, pixelHeight=pixelHeight, scale=scale, rotation=rotation)
        return reply

    async def SetDisplayMode(self, name: str, *, pixelWidth: int | None = None, pixelHeight: int | None = None) -> None:
        await self.call("SetDisplayMode", name=name, pixelWidth=pixelWidth, pixelHeight=pixelHeight)

    async def GetScreen(self, *, display: str | None = None) -> GetScreenReply:
        reply: GetScreenReply = await self.call("GetScreen", display=display)
        return reply

    async def SetScreen(self, name: str, *, display: str | None = None, changedAtUs: int | None = None) -> None:
        await self.call("SetScreen", name=name, display=display, changedAtUs=changedAtUs)

    async def Follow(self) -> None:
        await self.call("Follow")

    async def BeginSession(self, *, tags: dict[str, str] | None = None) -> BeginSessionReply:
        reply: BeginSessionReply = await self.call("BeginSession", tags=tags)
        return reply

    async def EndSession(self) -> EndSessionReply:
        reply: EndSessionReply = await self.call("EndSession")
        return reply

    async def TagSession(self, tags: dict[str, str]) -> TagSessionReply:
        reply: TagSessionReply = await self.call("TagSession", tags=tags)
        return reply

    async def Pause(self, *, durationMs: int | None = None) -> PauseReply:
        reply: PauseReply = await self.call("Pause", durationMs=durationMs)
        return reply

    async def Resume(self, *, all: bool | None = None) -> None:
        await self.call("Resume", all=all)

    async def Swallow(self, sinceAtUs: int, isUse: bool, *, display: str | None = None,
            untilAtUs: int | None = None) -> None:
        await self.call("Swallow", display=display, sinceAtUs=sinceAtUs, untilAtUs=untilAtUs, isUse=isUse)

    def WatchCovers(self) -> AsyncIterator[WatchCoversReply]:
        return self.stream("WatchCovers")

    def SuspendGuard(self) -> AsyncIterator[None]:
        return self.stream("SuspendGuard")

    async def GetMasks(self) -> GetMasksReply:
        reply: GetMasksReply = await self.call("GetMasks")
        return reply

    async def AddMask(self, mask: Mask) -> None:
        await self.call("AddMask", mask=mask)

    async def RemoveMask(self, mask: Mask) -> None:
        await self.call("RemoveMask", mask=mask)

    async def GetControls(self) -> GetControlsReply:
        reply: GetControlsReply = await self.call("GetControls")
        return reply

    async def SetControls(self, screen: str, controls: list[Control], *,
            display: str | None = None) -> SetControlsReply:
        reply: SetControlsReply = await self.call("SetControls", screen=screen, display=display, controls=controls)
        return reply

    async def AddResponse(self, screen: str, control: str, *, display: str | None = None, endedAtUs: int | None = None,
            responseMs: int | None = None) -> None:
        await self.call("AddResponse", screen=screen, display=display, control=control, endedAtUs=endedAtUs, responseMs=responseMs)

    async def ListSessions(self, *, span: Span | None = None, tags: dict[str, str] | None = None,
            weekdays: list[int] | None = None, hours: HourRange | None = None) -> ListSessionsReply:
        reply: ListSessionsReply = await self.call("ListSessions", span=span, tags=tags, weekdays=weekdays, hours=hours)
        return reply

    async def ListDays(self, *, span: Span | None = None, weekdays: list[int] | None = None) -> ListDaysReply:
        reply: ListDaysReply = await self.call("ListDays", span=span, weekdays=weekdays)
        return reply

    async def ListGhosts(self, day: str) -> ListGhostsReply:
        reply: ListGhostsReply = await self.call("ListGhosts", day=day)
        return reply

    async def ListScreens(self, *, span: Span | None = None) -> ListScreensReply:
        reply: ListScreensReply = await self.call("ListScreens", span=span)
        return reply

    async def GetGrids(self, *, layer: Layer | None = None, screen: str | None = None, display: str | None = None,
            session: int | None = None, span: Span | None = None, tags: dict[str, str] | None = None,
            weekdays: list[int] | None = None, hours: HourRange | None = None, day: str | None = None,
            live: bool | None = None, sessionCountsBelow: int | None = None) -> GetGridsReply:
        reply: GetGridsReply = await self.call("GetGrids", layer=layer, screen=screen, display=display, session=session, span=span, tags=tags, weekdays=weekdays, hours=hours, day=day, live=live, sessionCountsBelow=sessionCountsBelow)
        return reply

    async def GetCounts(self, kind: str, *, screen: str | None = None, display: str | None = None,
            session: int | None = None, span: Span | None = None, tags: dict[str, str] | None = None,
            weekdays: list[int] | None = None, hours: HourRange | None = None, day: str | None = None,
            byDay: bool | None = None) -> GetCountsReply:
        reply: GetCountsReply = await self.call("GetCounts", kind=kind, screen=screen, display=display, session=session, span=span, tags=tags, weekdays=weekdays, hours=hours, day=day, byDay=byDay)
        return reply

    async def Forget(self, *, span: Span | None = None, session: int | None = None) -> ForgetReply:
        reply: ForgetReply = await self.call("Forget", span=span, session=session)
        return reply

    def WatchTouches(self) -> AsyncIterator[WatchTouchesReply]:
        return self.stream("WatchTouches")

    def WatchActivity(self, idleAfterMs: int) -> AsyncIterator[WatchActivityReply]:
        return self.stream("WatchActivity", idleAfterMs=idleAfterMs)


# The members of each type and of each reply, with their types in Varlink.
TYPES: dict[str, Any] = {
    "Phase": ["began", "moved", "stationary", "ended", "cancelled"],
    "Cancellation": ["palm", "lost", "removed", "masked", "paused"],
    "Point": {"x": "float", "y": "float"},
    "Block": {"column": "int", "row": "int"},
    "Touch": {"id": "int", "phase": "Phase", "cancellation": "?Cancellation", "point": "Point", "previous": "?Point", "block": "Block", "device": "string", "display": "string", "screen": "string", "preexisting": "bool"},
    "Source": ["configuration", "udev", "kernel", "WL_OUTPUT", "drm", "client", "guess"],
    "Range": {"minimum": "int", "maximum": "int"},
    "ContactProtocol": ["slots", "anonymous", "single"],
    "DeviceTally": {"touches": "int", "drops": "int", "suspectedGhosts": "int", "echoes": "int", "unrecorded": "int"},
    "Device": {"key": "string", "node": "?string", "name": "string", "contactProtocol": "ContactProtocol", "slots": "int", "x": "Range", "y": "Range", "sentX": "?Range", "sentY": "?Range", "rangeSource": "Source", "matrix": "[]float", "matrixSource": "Source", "display": "string", "displaySource": "Source", "isVirtual": "bool", "touchesDown": "int", "unheardContacts": "?int", "silentForMs": "?int", "tally": "DeviceTally"},
    "RefusedDevice": {"node": "string", "name": "string", "reason": "string"},
    "Geometry": {"pixelWidth": "int", "pixelHeight": "int", "scale": "float", "rotation": "int", "blockSize": "int", "width": "float", "height": "float", "columns": "int", "rows": "int"},
    "Display": {"name": "string", "geometry": "Geometry", "geometrySource": "Source", "screen": "string", "devices": "[]string"},
    "SessionMode": ["automatic", "manual"],
    "SessionEnd": ["idle", "max_duration", "client", "stopped", "recovered"],
    "Totals": {"begun": "int", "counted": "int", "masked": "int", "palms": "int", "suspectedGhosts": "int", "swallowed": "int", "stillDown": "int", "preexisting": "int", "cancelled": "int", "clampedSamples": "int", "drops": "int"},
    "Session": {"id": "int", "day": "?string", "beganAtMs": "int", "lastActiveAtMs": "int", "end": "?SessionEnd", "tags": "[string]string", "totals": "Totals"},
    "Span": {"sinceAtMs": "?int", "untilAtMs": "?int"},
    "HourRange": {"from": "int", "until": "int"},
    "Day": {"day": "string", "sessions": "int", "totals": "?Totals", "hours": "?[]int", "ghostsOutside": "int"},
    "GhostPlace": {"device": "string", "x": "int", "y": "int", "periodMs": "int", "touches": "int"},
    "Screen": {"screen": "string", "display": "string", "geometry": "Geometry", "sessions": "int", "touches": "int", "shownMs": "int"},
    "Layer": ["taps", "trail", "dwell"],
    "Grid": {"screen": "string", "display": "string", "geometry": "Geometry", "layer": "Layer", "sessions": "int", "days": "int", "shownMs": "int", "touches": "int", "masks": "[]Rectangle", "sum": "[]int", "mean": "[]float", "variance": "?[]float", "sumOfSquares": "[]int", "sumOfSquaresHigh": "?[]int", "touchedSessions": "[]int", "sessionCounts": "?[]SessionCount"},
    "SessionCount": {"block": "int", "session": "int", "count": "int"},
    "Rectangle": {"x": "float", "y": "float", "width": "float", "height": "float"},
    "Mask": {"screen": "string", "display": "?string", "rectangle": "?Rectangle"},
    "Control": {"name": "string", "rectangle": "Rectangle", "rage": "?bool"},
    "ScreenControls": {"screen": "string", "display": "?string", "controls": "[]Control"},
    "CountedView": {"sessions": "int", "touches": "int", "masks": "[]Rectangle", "bottomMm": "?float"},
    "Counts": {"day": "?string", "subject": "string", "sessions": "int", "places": "[]int", "counts": "[]int", "view": "?CountedView"},
    "Store": {"path": "string", "bytes": "int", "error": "?string", "waitingBytes": "int", "busyForMs": "?int", "givenUp": "int", "movedAside": "?string"},
    "GridMemory": {"bytes": "int", "limitBytes": "int", "isFull": "bool"},
    "CoveredDisplay": {"name": "string", "width": "float", "height": "float", "covers": "[]Rectangle"},
    "ActivityState": ["active", "idle"],
}

REPLIES: dict[str, dict[str, str]] = {
    "GetStatus": {"version": "string", "uptimeMs": "int", "mode": "SessionMode", "session": "?Session", "lastTouchAtMs": "?int", "touchesDown": "int", "pauses": "int", "tally": "DeviceTally", "devices": "int", "refusedDevices": "int", "clients": "int", "watchers": "int", "followers": "int", "widenedMasks": "int", "masksEverything": "bool", "restartNeededFor": "[]string", "appGroup": "?string", "grids": "GridMemory", "store": "Store"},
    "GetDevices": {"devices": "[]Device", "refused": "[]RefusedDevice"},
    "GetDisplays": {"displays": "[]Display"},
    "SetDisplay": {"display": "Display"},
    "SetDisplayMode": {},
    "GetScreen": {"screen": "string", "revision": "int"},
    "SetScreen": {},
    "Follow": {},
    "BeginSession": {"session": "int"},
    "EndSession": {"session": "int"},
    "TagSession": {"session": "int"},
    "Pause": {"isPaused": "bool"},
    "Resume": {},
    "Swallow": {},
    "WatchCovers": {"displays": "[]CoveredDisplay", "isGuardSuspended": "bool"},
    "SuspendGuard": {},
    "GetMasks": {"configured": "[]Mask", "added": "[]Mask", "widened": "[]Mask", "everything": "bool", "revision": "int"},
    "AddMask": {},
    "RemoveMask": {},
    "GetControls": {"configured": "[]ScreenControls", "added": "[]ScreenControls"},
    "SetControls": {"isCounted": "bool"},
    "AddResponse": {},
    "ListSessions": {"sessions": "[]Session"},
    "ListDays": {"days": "[]Day"},
    "ListGhosts": {"ghosts": "[]GhostPlace"},
    "ListScreens": {"screens": "[]Screen"},
    "GetGrids": {"grids": "[]Grid"},
    "GetCounts": {"counts": "[]Counts", "hidden": "int"},
    "Forget": {"sessions": "int", "touches": "int", "days": "int", "notErased": "?string"},
    "WatchTouches": {"atUs": "int", "touches": "[]Touch", "displays": "?[]Display", "masks": "?[]Mask"},
    "WatchActivity": {"state": "?ActivityState", "sinceAtMs": "?int"},
}
