internal import LinuxIO
internal import TouchModel
internal import TouchgridAPI

/// Has `touchgrid-clean.socket` close the glass when two corners of a display are held. On a masked
/// screen nothing happens: the daemon tells no client the touches in masks.
final class CornerWatch {
  /// The path of the socket.
  private let path: String
  private let report: ServiceReport
  private var sizes: [String: API.Geometry] = [:]
  /// The fingers in corners, by display.
  private var holds: [String: CornerHold] = [:]
  /// The timer that ends when two corners were held long enough.
  private var timer: (end: Timestamp, source: Source)?
  /// The connection, which the service closes when the glass takes touches again.
  private var connection: UnixStream?
  private var source: Source?

  init(_ path: String, _ report: ServiceReport) { (self.path, self.report) = (path, report) }

  func handle(_ event: LiveTouches.Event) {
    switch event {
    case .connected, .refused: break
    case .reply(let frame): apply(frame)
    case .lost: holds = [:]
    }
    let end = holds.values.compactMap(\.end).min()
    guard end != timer?.end else { return }
    timer = end.map { end in
      let rest = max(0, end.microseconds - Clocks.monotonic)
      return (end, Source(afterMilliseconds: Int(rest + 999) / 1000) { [unowned self] in close() })
    }
  }

  private func apply(_ frame: API.WatchTouches.Reply) {
    for display in frame.displays ?? [] { sizes[display.name] = display.geometry }
    for touch in frame.touches {
      guard let size = sizes[touch.display] else { continue }
      let id = TouchID(UInt64(clamping: touch.id))
      switch touch.phase {
      case .ended, .cancelled: holds[touch.display]?.lift(id)
      case .began, .moved, .stationary:
        holds[touch.display, default: CornerHold()].place(
          id, x: touch.point.x / size.width, y: touch.point.y / size.height,
          isNew: touch.phase == .began, at: Timestamp(microseconds: frame.atUs))
      }
    }
  }

  /// Closes the glass, unless it is closed.
  private func close() {
    (timer, holds) = (nil, [:])
    guard connection == nil else { return }
    do throws(SystemError) {
      connection = try UnixStream(connectingTo: path, within: 1_000_000)
    } catch {
      return report.warn("the glass cannot be closed for cleaning: \(error)")
    }
    guard let descriptor = connection?.descriptor else { return }
    source = Source(descriptor: descriptor) { [unowned self] in read() }
  }

  /// Discards the result: nobody is told here which lines sense nothing.
  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    if case .moved = try? connection?.receive(into: &buffer) { return }
    source = nil
    connection = nil
  }
}
