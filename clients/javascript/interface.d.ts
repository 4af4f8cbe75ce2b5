// The types and methods of io.touchgrid. Made by scripts/interface from io.touchgrid.varlink.

/**
 * What happened to a touch in a frame. stationary: it stayed where it was. cancelled: it ended without a touch-up,
 * see Cancellation.
 */
export type Phase = 'began' | 'moved' | 'stationary' | 'ended' | 'cancelled';

/**
 * Why a touch was cancelled. palm: the device reported a palm. lost: the kernel dropped events, and the touch was
 * gone afterwards. removed: the device was removed, or the daemon no longer reads it. masked: the touch entered a
 * mask, or masks changed. paused: recording was paused.
 */
export type Cancellation = 'palm' | 'lost' | 'removed' | 'masked' | 'paused';

export interface Point {
  x: number;
  y: number;
}

export interface Block {
  column: number;
  row: number;
}

/** One touch in one frame. */
export interface Touch {
  /**
   * The identity of the touch: below 2^53, the same from touch-down to touch-up as long as any client watches, and
   * never reused.
   */
  id: number;
  phase: Phase;
  /** null unless phase is cancelled. */
  cancellation?: Cancellation | null;
  point: Point;
  /** The position in the frame before; null if the touch began in this frame. */
  previous?: Point | null;
  block: Block;
  /** The key of the device. */
  device: string;
  display: string;
  /** The screen that was shown when the touch began. The whole touch belongs to it. */
  screen: string;
  /** Whether the touch was down before the daemon opened the device. */
  preexisting: boolean;
}

/**
 * The source of a value about a device or a display: the configuration of the daemon, udev, the kernel's driver,
 * udev's property WL_OUTPUT, the graphics driver (drm), a client of this interface, or a guess.
 */
export type Source = 'configuration' | 'udev' | 'kernel' | 'WL_OUTPUT' | 'drm' | 'client' | 'guess';

/** A range that includes both ends. minimum < maximum. */
export interface Range {
  minimum: number;
  maximum: number;
}

/**
 * How a device reports its contacts. slots: in numbered slots (multitouch protocol B). anonymous: without numbers
 * (multitouch protocol A). single: one contact.
 */
export type ContactProtocol = 'slots' | 'anonymous' | 'single';

/** Counters of a device since the daemon opened it. */
export interface DeviceTally {
  touches: number;
  /** How often the kernel dropped events (SYN_DROPPED). The daemon may have missed touches then. */
  drops: number;
  suspectedGhosts: number;
  /** Touches of a virtual device that repeat those of a real touchscreen. */
  echoes: number;
  /**
   * Touches that count for no session: they began while recording was paused, or while no session was running and
   * they could not begin one.
   */
  unrecorded: number;
}

/** A touchscreen that the daemon reads. */
export interface Device {
  /** Unique among the devices that the daemon reads. It stays the same when the device is plugged in again. */
  key: string;
  /** The device node, such as /dev/input/event3; null in the replay of a recording. */
  node?: string | null;
  /** The name that the device gives itself, made printable. */
  name: string;
  contactProtocol: ContactProtocol;
  /** The highest number of simultaneous contacts that the daemon follows. */
  slots: number;
  /** The ranges of the axes, in raw units of the device, and their source. */
  x: Range;
  y: Range;
  /**
   * These ranges, extended by the values beyond that the device has sent, outside of masks. null if it has sent
   * none beyond.
   */
  sentX?: Range | null;
  sentY?: Range | null;
  rangeSource: Source;
  /** The calibration matrix that the daemon applies to normalised coordinates: six numbers, its first two rows. */
  matrix: number[];
  matrixSource: Source;
  /** The display that the device lies on. */
  display: string;
  displaySource: Source;
  /** Whether a program made the device through uinput. */
  isVirtual: boolean;
  /** Touches that are down, excluding masked ones. */
  touchesDown: number;
  /**
   * The number of contacts that are down according to the kernel but have sent no events for half a second, which
   * means that another program has grabbed the device (EVIOCGRAB). null if the kernel does not report contacts of
   * this device.
   */
  unheardContacts?: number | null;
  /** How long the device has sent no event, rounded down to whole minutes. null if it has not sent any yet. */
  silentForMs?: number | null;
  tally: DeviceTally;
}

/** A device that udev classifies as a touchscreen, but the daemon does not read. */
export interface RefusedDevice {
  node: string;
  name: string;
  reason: string;
}

/** The shape of a display, and of the grid laid over it. */
export interface Geometry {
  /** The size of the display in pixels, before rotation: 1 to 16384 each. */
  pixelWidth: number;
  pixelHeight: number;
  /** Pixels per point: 0.25 to 16. */
  scale: number;
  /** How far the picture is turned clockwise, in degrees: 0, 90, 180 or 270. */
  rotation: number;
  /** The side of a block in points: a power of two, 1 to 256. */
  blockSize: number;
  /** The size of the picture in points: pixels / scale, after rotation. */
  width: number;
  height: number;
  /** The size of a grid in blocks: width / blockSize and height / blockSize, rounded up. */
  columns: number;
  rows: number;
}

export interface Display {
  name: string;
  geometry: Geometry;
  geometrySource: Source;
  /** The screen that the display shows. */
  screen: string;
  /** The keys of the devices that lie on the display. */
  devices: string[];
}

/** automatic: the first touch begins a session. manual: only clients begin sessions. */
export type SessionMode = 'automatic' | 'manual';

/**
 * Why a session ended. idle: nobody touched for idle_timeout. max_duration: it reached the maximum duration.
 * client: a client ended it. stopped: the daemon stopped. recovered: the daemon or the machine crashed, and the
 * next start of the daemon ended the session at its last checkpoint.
 */
export type SessionEnd = 'idle' | 'max_duration' | 'client' | 'stopped' | 'recovered';

/**
 * The totals of a session or a day, in touches unless stated otherwise. They add up: begun = counted + masked +
 * palms + suspectedGhosts + stillDown.
 */
export interface Totals {
  begun: number;
  /** Touches that were added to the grids. */
  counted: number;
  masked: number;
  palms: number;
  /** Touches without motion or duration, at the same position, in a regular rhythm. */
  suspectedGhosts: number;
  /** Touches that are down, or that ended so recently that the name of their screen may still arrive. */
  stillDown: number;
  /**
   * Of those begun: touches that were down before the daemon opened the device. This and the following members are
   * not part of the sum.
   */
  preexisting: number;
  /** Of those begun: touches that were cancelled for a reason other than being a palm. */
  cancelled: number;
  /** Samples outside the range of the device or outside the display. */
  clampedSamples: number;
  /** How often the kernel dropped events (SYN_DROPPED). */
  drops: number;
}

export interface Session {
  /** Ids rise and are never reused. */
  id: number;
  /**
   * The day on which it began, in the kiosk's local calendar: YYYY-MM-DD. Only replies of ListSessions have it;
   * null in others.
   */
  day?: string | null;
  beganAtMs: number;
  /** When it ended. While it runs, the last time when a touch was active. */
  lastActiveAtMs: number;
  /** null while it runs. */
  end?: SessionEnd | null;
  tags: Record<string, string>;
  totals: Totals;
}

/**
 * A span of time. A session is in it if it began at sinceAtMs or later and before untilAtMs. null: no bound on that
 * side.
 */
export interface Span {
  sinceAtMs?: number | null;
  untilAtMs?: number | null;
}

/**
 * Hours of the day on the kiosk's clock. A session is in them if it began at the hour from (0 to 23) or later, and
 * before the hour until (0 to 24). If until is less than from, they go over midnight.
 */
export interface HourRange {
  from: number;
  until: number;
}

/** One day of the kiosk's local calendar, and the sessions that began on it. */
export interface Day {
  /** YYYY-MM-DD. */
  day: string;
  sessions: number;
  /**
   * The totals of all these sessions. null if they are unknown, because the sessions were deleted and the store is
   * from a version that kept no totals for days.
   */
  totals?: Totals | null;
  /** How many sessions began in each local hour: 24 numbers. null if unknown, as with totals. */
  hours?: number[] | null;
  /** The number of suspected ghosts on this day while no session ran. */
  ghostsOutside: number;
}

/** One screen on one display geometry, with the sums of those sessions of a span that showed it. */
export interface Screen {
  screen: string;
  display: string;
  geometry: Geometry;
  sessions: number;
  /** Touches counted on the screen. */
  touches: number;
  shownMs: number;
}

/**
 * What a grid counts. taps: one for each touch, in the block where it began. trail: one for each block that a touch
 * enters. dwell: milliseconds of contact.
 */
export type Layer = 'taps' | 'trail' | 'dwell';

/**
 * One layer of one screen on one display geometry, summed over sessions. Its arrays have columns x rows elements,
 * row by row from the top left.
 */
export interface Grid {
  screen: string;
  display: string;
  geometry: Geometry;
  layer: Layer;
  /** The number of sessions that showed the screen, with or without touches. The mean divides by it. */
  sessions: number;
  /** The number of days of the kiosk's local calendar on which these sessions began. */
  days: number;
  /** How long these sessions showed the screen in total. */
  shownMs: number;
  /** Touches counted on the screen. */
  touches: number;
  /**
   * The rectangles that were masked in at least one of these sessions. A low count inside them does not mean that
   * few people touched there.
   */
  masks: Rectangle[];
  /**
   * For each block, the sum, the mean and the variance of the sessions' counts. The variance divides by n - 1; it
   * is null for fewer than two sessions.
   */
  sum: number[];
  mean: number[];
  variance?: number[] | null;
  /**
   * For each block, the sum of the squares of the sessions' counts, which can exceed 64 bits. Divided by 2^63, its
   * remainder is in sumOfSquares and its quotient in sumOfSquaresHigh. sumOfSquaresHigh is null if all quotients
   * are 0.
   */
  sumOfSquares: number[];
  sumOfSquaresHigh?: number[] | null;
  /** How many sessions touched each block. */
  touchedSessions: number[];
  /**
   * The counts of single sessions in the blocks that fewer sessions touched than sessionCountsBelow, ordered by
   * block and session. null without sessionCountsBelow, if some of the sessions have been deleted, and if there are
   * more than 100,000 in all grids together.
   */
  sessionCounts?: SessionCount[] | null;
}

/** The count of one session in one block; the block's index counts from 0, row by row. */
export interface SessionCount {
  block: number;
  session: number;
  count: number;
}

/** A rectangle in points of the display. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * A masked screen, or a masked rectangle of a screen. Touches in it add to the number of masked touches of their
 * session. Their positions are not recorded.
 */
export interface Mask {
  screen: string;
  /** null: on every display. */
  display?: string | null;
  /** null: the whole screen. */
  rectangle?: Rectangle | null;
}

/** A named rectangle of a screen that people touch, such as a button. */
export interface Control {
  /** Unique on its screen. It must not contain what people enter. */
  name: string;
  /** Its edges belong to it. */
  rectangle: Rectangle;
  /** Whether rage taps are counted; null: true. false: for controls that people tap quickly on purpose. */
  rage?: boolean | null;
}

/** The controls of a screen. */
export interface ScreenControls {
  screen: string;
  /** null: on every display without a list of its own. */
  display?: string | null;
  /** From back to front: where controls overlap, a touch hits the last one. */
  controls: Control[];
}

/** A screen on a display geometry, over the sessions of a call. */
export interface CountedView {
  /** The sessions that showed it, and the touches that were counted on it. */
  sessions: number;
  touches: number;
  /** The rectangles that were masked in at least one of these sessions. */
  masks: Rectangle[];
  /** The height of the lower edge of the display above the floor now, in mm; null if it is unknown. */
  bottomMm?: number | null;
}

/**
 * The counts of one subject, added up over sessions. docs/store-format.md explains the subjects of each kind, and
 * their numbers.
 */
export interface Counts {
  /**
   * The day on which the sessions began, in the kiosk's local calendar: YYYY-MM-DD. null: the counts are the sum of
   * all sessions that the call covers.
   */
  day?: string | null;
  /** What is counted, as JSON. */
  subject: string;
  /** The sessions that have counts of it. */
  sessions: number;
  /** The places of the numbers that are not 0, counted from 0, in rising order; and these numbers. */
  places: number[];
  counts: number[];
  /** The view that they belong to. null: none, or the call has byDay. */
  view?: CountedView | null;
}

export interface Store {
  path: string;
  /** The size of the database and the files beside it. */
  bytes: number;
  /** Why the last attempt to write failed; null if it succeeded. The daemon keeps trying. */
  error?: string | null;
  /**
   * The approximate size of the sessions that wait in memory to be written, in bytes. At 64 MiB the daemon discards
   * ended sessions, oldest first.
   */
  waitingBytes: number;
  /**
   * How long the current write has taken; null while there is nothing to write. A large value means that the disk
   * hangs.
   */
  busyForMs?: number | null;
  /**
   * The number of ended sessions that the daemon has discarded since it started, because neither the disk nor the
   * memory had room for them.
   */
  givenUp: number;
  /**
   * The path to which the daemon has moved a damaged store since it started; null if it has not. 'touchgrid store
   * recover' reads what is left in that file.
   */
  movedAside?: string | null;
}

/** The memory that the grids of open sessions take. */
export interface GridMemory {
  /** The size of the counters of all open sessions. */
  bytes: number;
  /** The maximum size of these counters. */
  limitBytes: number;
  /**
   * Whether touches of the running session were counted on the screen "other", or without grids, because there was
   * no memory for the grids of their screens.
   */
  isFull: boolean;
}

/** active: somebody touches, or did so within the time that the call names. idle: nobody did. */
export type ActivityState = 'active' | 'idle';

/** The reply of GetStatus. */
export interface GetStatusReply {
  version: string;
  uptimeMs: number;
  mode: SessionMode;
  /** The running session; null if no session is running. */
  session?: Session | null;
  /**
   * When the last touch began, ignoring masked touches, palms and suspected ghosts; null if none has since the
   * daemon started. While there are masks, it changes only when a touch has been committed.
   */
  lastTouchAtMs?: number | null;
  touchesDown: number;
  /** The number of clients that pause recording; 0 while it is not paused. */
  pauses: number;
  /** The sums over all devices since the daemon started. */
  tally: DeviceTally;
  devices: number;
  refusedDevices: number;
  /**
   * The numbers of connections to this socket, of running WatchTouches calls, and of connections that called
   * Follow.
   */
  clients: number;
  watchers: number;
  followers: number;
  /** The number of masks that GetMasks lists as widened. */
  widenedMasks: number;
  /** Whether every touch is masked, because there is no configuration file yet. */
  masksEverything: boolean;
  /**
   * The keys of the configuration, such as "path in [socket]", whose values have changed since the daemon started
   * and take effect only after a restart.
   */
  restartNeededFor: string[];
  /** The group whose members have the role app; null if no group has it. */
  appGroup?: string | null;
  grids: GridMemory;
  store: Store;
}

/** The reply of GetDevices. */
export interface GetDevicesReply {
  devices: Device[];
  refused: RefusedDevice[];
}

/** The reply of GetDisplays. */
export interface GetDisplaysReply {
  displays: Display[];
}

/** The reply of SetDisplay. */
export interface SetDisplayReply {
  display: Display;
}

/** The reply of GetScreen. */
export interface GetScreenReply {
  screen: string;
  /**
   * Rises whenever the screen changes, also to one that was shown for a moment only. Two replies with the same
   * number: this screen was shown between them.
   */
  revision: number;
}

/** The reply of BeginSession. */
export interface BeginSessionReply {
  session: number;
}

/** The reply of EndSession. */
export interface EndSessionReply {
  session: number;
}

/** The reply of TagSession. */
export interface TagSessionReply {
  session: number;
}

/** The reply of Pause. */
export interface PauseReply {
  isPaused: boolean;
}

/** The reply of GetMasks. */
export interface GetMasksReply {
  configured: Mask[];
  added: Mask[];
  /**
   * Masks of whole screens that the daemon adds while it only guesses the size of a display, or the display that a
   * touchscreen lies on, or knows that a touchscreen sends positions far outside of its ranges. There is one for
   * each screen with a mask that may concern that touchscreen, on its display.
   */
  widened: Mask[];
  /** Whether every touch is masked, because there is no configuration file yet. */
  everything: boolean;
  /**
   * Rises whenever the masks change, also for a moment only. Two replies with the same number: the masks did not
   * change between them.
   */
  revision: number;
}

/** The reply of GetControls. */
export interface GetControlsReply {
  configured: ScreenControls[];
  added: ScreenControls[];
}

/** The reply of SetControls. */
export interface SetControlsReply {
  /**
   * False if the screen has had 64 other layouts in a day, or all screens together 1024: it then has no controls of
   * clients.
   */
  isCounted: boolean;
}

/** The reply of ListSessions. */
export interface ListSessionsReply {
  sessions: Session[];
}

/** The reply of ListDays. */
export interface ListDaysReply {
  days: Day[];
}

/** The reply of ListScreens. */
export interface ListScreensReply {
  screens: Screen[];
}

/** The reply of GetGrids. */
export interface GetGridsReply {
  grids: Grid[];
}

/** The reply of GetCounts. */
export interface GetCountsReply {
  counts: Counts[];
  /**
   * The number of subjects that are left out, because fewer than 5 sessions have them: of flows, the changes from
   * one screen to another. With byDay, a subject counts once for each day. The last reply says it, the others have
   * 0.
   */
  hidden: number;
}

/** The reply of Forget. */
export interface ForgetReply {
  /**
   * The number of deleted sessions. touches: the number of touches that began in them. days: the number of days on
   * which they began.
   */
  sessions: number;
  touches: number;
  days: number;
  /**
   * Why traces of the deleted sessions remain in the store's files; null if they were erased. The next Forget
   * erases them as well.
   */
  notErased?: string | null;
}

/** The reply of WatchTouches. */
export interface WatchTouchesReply {
  atUs: number;
  touches: Touch[];
  /**
   * All displays, in the first reply and when the geometry, the devices or the screen of one have changed; null
   * otherwise.
   */
  displays?: Display[] | null;
  /**
   * All masks, in the first reply and when one was added or removed, so that a client that draws touches can keep
   * out of masks; null otherwise.
   */
  masks?: Mask[] | null;
}

/** The reply of WatchActivity. */
export interface WatchActivityReply {
  /** Null in the first reply if nobody has touched since the daemon started, less than idleAfterMs ago. */
  state?: ActivityState | null;
  /**
   * When the state began. idle: the last touch was in the 5 s before; if there was none, the start of the daemon.
   * active: when the first touch came; null in the first reply. null without a state.
   */
  sinceAtMs?: number | null;
}

/** The methods of the daemon. */
export interface Methods {
  /** Returns the state of the daemon. */
  GetStatus(): Promise<GetStatusReply>;
  /** Lists the touchscreens, including those that the daemon does not read. */
  GetDevices(): Promise<GetDevicesReply>;
  /** Lists the displays that touchscreens lie on. */
  GetDisplays(): Promise<GetDisplaysReply>;
  /**
   * Turns a display or gives it another geometry, until the daemon stops. Parameters that are null keep their
   * value. If all are null, the change is undone: the display gets the geometry that other sources give it. Touches
   * that are down keep the geometry on which they began. At most 60 changes a minute, of all clients together.
   */
  SetDisplay(parameters: {
    /**
     * A display that a touchscreen lies on. The configuration must mask no rectangle on it, because the change
     * would move what is under the rectangle.
     */
    name: string;
    /** The size of the display before rotation; both or neither. */
    pixelWidth?: number | null;
    /** The size of the display before rotation; both or neither. */
    pixelHeight?: number | null;
    scale?: number | null;
    rotation?: number | null;
  }): Promise<SetDisplayReply>;
  /**
   * Reports the mode in which a compositor drives a display, as touchgrid-follow does. The mode takes precedence
   * over the one that the kernel prefers. A size from the configuration or from SetDisplay takes precedence over
   * the mode. The report holds until the connection has been closed for 10 s. If the configuration masks a
   * rectangle of the display without giving its size, a mode that is not the kernel's makes the size uncertain
   * until the configuration is reloaded: see GetMasks. At most 16 displays for one connection, and 60 changes a
   * minute for one user.
   */
  SetDisplayMode(parameters: {
    /** The connector, such as HDMI-A-1. A touchscreen need not lie on it yet. */
    name: string;
    /** The size of the mode before rotation. If both are null, the report is withdrawn. */
    pixelWidth?: number | null;
    /** The size of the mode before rotation. If both are null, the report is withdrawn. */
    pixelHeight?: number | null;
  }): Promise<Record<string, never>>;
  /** Returns the screen that a display shows. */
  GetScreen(parameters?: {
    /**
     * Null: the only display; if there are several or none, the reply has the screen that was last set for all
     * displays.
     */
    display?: string | null;
  }): Promise<GetScreenReply>;
  /** Tells the daemon that the app shows another screen. */
  SetScreen(parameters: {
    name: string;
    /**
     * Null: all displays. If no touchscreen lies on the display, the reply is NoSuchDisplay, but the display shows
     * the screen as soon as one does. At most 16 such displays are remembered.
     */
    display?: string | null;
    /**
     * When the screen changed, on CLOCK_MONOTONIC; null: now. Touches that begin from then on belong to the new
     * screen. The change may be at most late_names ago (250 ms unless configured), and must not be in the future.
     * If it is longer ago, the reply is TooLate; a screen with a mask is shown all the same, from the earliest time
     * that is allowed.
     */
    changedAtUs?: number | null;
  }): Promise<Record<string, never>>;
  /**
   * Makes the screen names that this connection sets by SetScreen, before and after this call, end with the
   * connection. 2 s after the connection has ended, the screen is "default" again, unless a client has named one
   * since. A screen with a mask keeps its name, because the display may still show it.
   */
  Follow(): Promise<Record<string, never>>;
  /** Begins a session and ends the running one. At most 60 calls a minute, by all clients together. */
  BeginSession(parameters?: {
    /** At most 32. Keys have 1 to 64 bytes, values at most 128, of printable text. */
    tags?: Record<string, string> | null;
  }): Promise<BeginSessionReply>;
  /** Ends the running session. Touches that are down still count for it if they end within about 5 s. */
  EndSession(): Promise<EndSessionReply>;
  /** Sets tags of the running session. Its other tags stay. */
  TagSession(parameters: {
    tags: Record<string, string>;
  }): Promise<TagSessionReply>;
  /**
   * Pauses recording and live touches. Touches that begin during the pause are not recorded, and touches that are
   * down end where they are. Each connection has at most one pause; a new one replaces it. Recording resumes when
   * no connection has a pause. At most 64 pauses at a time.
   *
   * The pause ends with its connection at the latest. If the call says "more", a second reply comes when the pause
   * has ended. isPaused is true in the first reply. In the second, it says whether other clients still pause
   * recording.
   */
  Pause(parameters?: {
    /** How long the pause lasts, 1 to 86400000; null: until Resume, or until the connection ends. */
    durationMs?: number | null;
  }): Promise<PauseReply>;
  /** Ends the pause of this connection. Does nothing if it has none. */
  Resume(parameters?: {
    /** True ends the pauses of all connections. */
    all?: boolean | null;
  }): Promise<Record<string, never>>;
  /** Lists the masks of the configuration, and those that clients have added. */
  GetMasks(): Promise<GetMasksReply>;
  /**
   * Adds a mask, until a client removes it or the daemon stops. It also applies to touches that are not yet
   * counted. A mask that must always apply belongs in the configuration. Clients can add at most 256 masks; adding
   * a mask again changes nothing.
   */
  AddMask(parameters: {
    mask: Mask;
  }): Promise<Record<string, never>>;
  /**
   * Removes a mask that clients have added, regardless of which clients added it and how many times. The mask must
   * be equal to the added one in every member.
   */
  RemoveMask(parameters: {
    mask: Mask;
  }): Promise<Record<string, never>>;
  /** Lists the controls of the configuration, and those that clients have set. */
  GetControls(): Promise<GetControlsReply>;
  /**
   * Sets the controls of a screen, in place of those that clients have set for it before, until the daemon stops.
   * Controls of the configuration stay; they lie below. Call it whenever the layout of the screen changes: touches
   * that began before are compared with the controls before. A screen has at most 256 controls, and those of
   * clients are at most 4096, on at most 256 screens.
   */
  SetControls(parameters: {
    screen: string;
    /** Null: every display without a list of its own. */
    display?: string | null;
    /** From back to front; empty: none. */
    controls: Control[];
  }): Promise<SetControlsReply>;
  /**
   * Says how long after a touch of a control the screen changed. It counts if the touch was counted as a hit of
   * this control and ended within 250 ms of endedAtUs, once for each hit. Else it is ignored, as on a screen with a
   * mask, for touches that may be ghosts, and for those of ended sessions. It may come before the touch is counted.
   */
  AddResponse(parameters: {
    /** The screen that was shown when the touch began. */
    screen: string;
    /** Null: any. */
    display?: string | null;
    control: string;
    /**
     * When the touch ended, on CLOCK_MONOTONIC: at most 5 s ago. null: responseMs ago, or 2.5 s ago without
     * responseMs.
     */
    endedAtUs?: number | null;
    /** The time from the end of the touch until the screen changed, 0 to 2500. null: it did not change within 2.5 s. */
    responseMs?: number | null;
  }): Promise<Record<string, never>>;
  /**
   * Lists the sessions that began in the span, oldest first, including the running one up to now. With "more", the
   * replies have at most 100 sessions each.
   */
  ListSessions(parameters?: {
    span?: Span | null;
    /** Only sessions that have all of these tags. */
    tags?: Record<string, string> | null;
    /** Only sessions that began on one of these days of the kiosk's local calendar, 1 (Monday) to 7 (Sunday). */
    weekdays?: number[] | null;
    /**
     * Only sessions that began in these hours, which must not be empty and not cover the whole day. null: all. If
     * sessions of the span were recorded in another time zone, the call fails with StoreFailed.
     */
    hours?: HourRange | null;
  }): Promise<ListSessionsReply>;
  /**
   * Lists the days on which sessions of the span began, oldest first. The list includes days from which all
   * sessions are deleted, and days with only suspected ghosts. With "more", the replies have at most 100 days each.
   */
  ListDays(parameters?: {
    span?: Span | null;
    /** Only days that are one of these, 1 (Monday) to 7 (Sunday). null: all. */
    weekdays?: number[] | null;
  }): Promise<ListDaysReply>;
  /** Lists the screens that were shown in the span. With "more", the replies have at most 100 screens each. */
  ListScreens(parameters?: {
    span?: Span | null;
  }): Promise<ListScreensReply>;
  /**
   * Returns grids, one for each screen, display and geometry. With "more", each reply has one grid.
   *
   * A call names at most one of session, day, live, and span with tags, weekdays and hours. If it names none, the
   * grids cover all time.
   */
  GetGrids(parameters?: {
    /** Null: taps. */
    layer?: Layer | null;
    /** Null: all. */
    screen?: string | null;
    /** Null: all. */
    display?: string | null;
    /** The grids cover this session alone. */
    session?: number | null;
    /**
     * The grids cover the sessions that began in the span, have all of these tags, and began on these weekdays and
     * in these hours, as for ListSessions. The tags and hours of deleted sessions are unknown: if some sessions of
     * the span were deleted, a call with tags or hours fails with StoreFailed, whose message names the day from
     * which on they are known.
     */
    span?: Span | null;
    /**
     * The grids cover the sessions that began in the span, have all of these tags, and began on these weekdays and
     * in these hours, as for ListSessions. The tags and hours of deleted sessions are unknown: if some sessions of
     * the span were deleted, a call with tags or hours fails with StoreFailed, whose message names the day from
     * which on they are known.
     */
    tags?: Record<string, string> | null;
    /**
     * The grids cover the sessions that began in the span, have all of these tags, and began on these weekdays and
     * in these hours, as for ListSessions. The tags and hours of deleted sessions are unknown: if some sessions of
     * the span were deleted, a call with tags or hours fails with StoreFailed, whose message names the day from
     * which on they are known.
     */
    weekdays?: number[] | null;
    /**
     * The grids cover the sessions that began in the span, have all of these tags, and began on these weekdays and
     * in these hours, as for ListSessions. The tags and hours of deleted sessions are unknown: if some sessions of
     * the span were deleted, a call with tags or hours fails with StoreFailed, whose message names the day from
     * which on they are known.
     */
    hours?: HourRange | null;
    /** The grids cover the sessions that began on this day of the kiosk's local calendar, YYYY-MM-DD. */
    day?: string | null;
    /** True: the grids cover the running session, up to now. */
    live?: boolean | null;
    /**
     * 2 to 10: also returns the counts of single sessions, in the blocks that fewer sessions than this touched.
     * null: no such counts. It cannot be combined with live.
     */
    sessionCountsBelow?: number | null;
  }): Promise<GetGridsReply>;
  /**
   * Returns the counts of a kind, one for each subject, in the order of the days. With "more", each reply has some
   * of them. The running session counts as of its last checkpoint. Flows count a session once it has ended; they
   * leave out those in which recording was paused, or screens changed very often.
   */
  GetCounts(parameters: {
    /** "controls"; "flow", how people moved between screens; or "panel", what touchscreens sensed. */
    kind: string;
    /** Only counts that belong to this screen. Those of flows and panels belong to none. */
    screen?: string | null;
    /** Only counts that belong to this screen. Those of flows and panels belong to none. */
    display?: string | null;
    /**
     * As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and session,
     * tags and hours are refused.
     */
    session?: number | null;
    /**
     * As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and session,
     * tags and hours are refused.
     */
    span?: Span | null;
    /**
     * As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and session,
     * tags and hours are refused.
     */
    tags?: Record<string, string> | null;
    /**
     * As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and session,
     * tags and hours are refused.
     */
    weekdays?: number[] | null;
    /**
     * As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and session,
     * tags and hours are refused.
     */
    hours?: HourRange | null;
    /**
     * As for GetGrids. Flows are kept for days only: a day counts if any part of it is in the span, and session,
     * tags and hours are refused.
     */
    day?: string | null;
    /** True: each day has counts of its own. */
    byDay?: boolean | null;
  }): Promise<GetCountsReply>;
  /**
   * Deletes sessions from the store, subtracts them from the sums of their days, and erases them in the store's
   * files. They cannot be restored. A selected session that is running, or waiting for its last touches to end,
   * ends at once and is deleted as well; the next touch begins another one (with mode = "manual" a client does).
   * The reply comes when the change is on the disk. A call names either span or session.
   */
  Forget(parameters?: {
    /**
     * Selects the sessions that began in it. On days that lie entirely in the span, also deletes the suspected
     * ghosts outside of sessions. A span without bounds covers all time. If it covers only a part of a day that has
     * already lost some of its sessions, the call fails with StoreFailed and deletes nothing, but a selected
     * session that was running has ended.
     */
    span?: Span | null;
    /** The id of the one session to delete. */
    session?: number | null;
  }): Promise<ForgetReply>;
  /**
   * Sends the touches frame by frame until the connection ends. Needs "more".
   *
   * The first reply comes immediately, with the touches that are down (as stationary), all displays and all masks.
   * One reply follows for each frame in which a touch began, moved or ended, and for changes of displays and masks.
   * While there are masks, frames are delayed by late_names, because a late screen name may still mask touches of
   * that time. Touches in masks are never sent. A touch that slides into a mask is sent up to the mask, and is then
   * cancelled. The daemon disconnects a client that does not read its replies, with TooSlow.
   */
  WatchTouches(): AsyncGenerator<WatchTouchesReply>;
  /**
   * Tells whether somebody touches, until the connection ends. Needs "more".
   *
   * The first reply comes immediately, and one reply follows for each change. idle comes when nobody has touched
   * for idleAfterMs, and up to 5 s later: the times of touches are rounded up to 5 s, because single times could
   * tell what is typed in a mask. active comes with the first touch after that, at once. Touches in masks, during
   * pauses and outside of sessions count like all others. Palms and suspected ghosts do not count. While a finger
   * stays down, the state is active. During a pause, a finger counts only when it lands and while it moves, and
   * palms count too. Time in suspend counts as time without touches. Without a touchscreen nobody touches.
   */
  WatchActivity(parameters: {
    /** 5000 to 86400000. */
    idleAfterMs: number;
  }): AsyncGenerator<WatchActivityReply>;
}
