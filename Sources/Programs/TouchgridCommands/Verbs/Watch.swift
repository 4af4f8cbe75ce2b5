import ArgumentParser
import Glibc
import Heatmaps
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows touches as they happen.",
    discussion: """
      Prints one line for each touch-down and touch-up: the time, the number of the touch, its point, \
      block and screen, and its display if there are several. A display that shows another screen \
      gets a line, too. Touches in masks are not shown. Ends with Ctrl-C.

      --json prints the daemon's replies (WatchTouches of the interface io.touchgrid), one line per \
      frame.
      """)

  @Flag(help: "Draw a map of the display with its touches, in the terminal.")
  var map = false

  @Flag(help: "Also print moves.")
  var moves = false

  @Option(
    help: ArgumentHelp(
      "Only this display. Default: all displays; with --map, that of the last touch.",
      valueName: "name"), completion: .displays)
  var display: String?

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if json, map || moves || display != nil {
      throw ValidationError(
        "--json prints everything and cannot be combined with --map, --moves or --display.")
    }
    if map, moves { throw ValidationError("--moves cannot be combined with --map.") }
  }

  func run() throws {
    if map, !Terminal.isThere { throw Failure("--map needs a terminal") }
    let waiting = try Waiting()
    let touches = try TouchStream(path: socket.path)
    try touches.begin()
    // A user who may watch is not necessarily allowed to read masks.
    if let masks = try? socket.connect().call(API.GetMasks()), masks.everything {
      writeError(API.GetMasks.Reply.everythingNote)
    }
    if map {
      try draw(touches, waiting)
    } else {
      try printLines(touches, waiting)
    }
  }

  /// Returns the next frame; nil if there is none yet.
  /// - Throws: an error if the connection is lost.
  private func next(_ touches: TouchStream) throws(Failure) -> API.WatchTouches.Reply? {
    switch try touches.next() {
    case .reply(let frame): return frame
    case .lost(let reason): throw reason
    case .found, .nothing: return nil
    }
  }

  private func printLines(_ touches: TouchStream, _ waiting: borrowing Waiting) throws(Failure) {
    var ticker = TouchLinePrinter(
      showsMoves: moves, display: display,
      wallOrigin: WallTime.now.milliseconds - Clocks.monotonic / 1000)
    while true {
      while let frame = try next(touches) {
        if json { try writeJSON(frame) } else { try writeLines(ticker.lines(for: frame)) }
      }
      if try waiting.next(touches.descriptor) == .interrupted { return }
    }
  }

  private func draw(_ touches: TouchStream, _ waiting: borrowing Waiting) throws(Failure) {
    /// The shortest time between two pictures, in ms: too short for people to notice, longer than a
    /// frame of a touchscreen.
    let pause: Int32 = 33
    let screen = try FullScreen()
    var map = LiveMap(display: display)
    var isStale = true
    var drawnAt: Int64 = 0
    while true {
      while let frame = try next(touches) {
        map.apply(frame)
        isStale = true
      }
      let now = Clocks.monotonic
      if map.isFading { map.forget(before: now) }
      let isDue = now - drawnAt >= Int64(pause) * 1000
      if isStale, isDue {
        try screen.show(
          map.lines(
            width: Terminal.width, height: Terminal.height, now: now, colours: Terminal.colours))
        (isStale, drawnAt) = (false, now)
      }
      switch try waiting.next(
        touches.descriptor, within: isStale ? pause : map.isFading ? 100 : nil)
      {
      case .interrupted: return
      case .resized: isStale = true
      case .timeout: isStale = isStale || map.isFading
      case .daemon: break
      }
    }
  }
}
