import Text
import TouchModel
import TouchgridAPI

/// Turns live touches into the lines of a track.
struct TrackLines {
  /// The only display to record; nil for all.
  private let display: String?
  private let startedAtUs: Int64
  private let startedAtMs: Int64
  private var hasBegun = false
  private var down: [Int64: API.Touch] = [:]
  /// The number of touches in the track: those that were down at its start, and those that began
  /// later. A touch that is down when the connection to the daemon is lost counts again if it is
  /// still down when the connection is back.
  private(set) var touches: UInt64 = 0

  /// - Parameters:
  ///   - startedAtMs: when the track started, in ms since 1970-01-01 00:00 UTC.
  ///   - startedAtUs: the same moment on `CLOCK_MONOTONIC`, in µs.
  init(display: String?, startedAtMs: Int64, startedAtUs: Int64) {
    self.display = display
    self.startedAtMs = startedAtMs
    self.startedAtUs = startedAtUs
  }

  /// Returns the lines of a reply. The lines of the first reply begin with the header.
  mutating func encode(_ reply: API.WatchTouches.Reply) throws(Failure) -> [String] {
    var reply = reply
    reply.touches.removeAll { !isWanted($0.display) }
    reply.displays?.removeAll { !isWanted($0.name) }
    reply.atUs = Timestamp(microseconds: reply.atUs) - Timestamp(microseconds: startedAtUs)
    var lines: [String] = []
    if !hasBegun {
      try check(reply.displays ?? [])
      let header = TrackHeader(
        touchgrid: touchgridVersion, startedAtMs: startedAtMs, startedAtUs: startedAtUs,
        displays: reply.displays ?? [], masks: reply.masks ?? [])
      lines.append(try jsonText(header))
      (reply.displays, reply.masks) = (nil, nil)
      hasBegun = true
    }
    for touch in reply.touches {
      switch touch.phase {
      case .began, .moved, .stationary:
        if down.updateValue(touch, forKey: touch.id) == nil { touches += 1 }
      case .ended, .cancelled: down[touch.id] = nil
      }
    }
    if !reply.touches.isEmpty || reply.displays != nil || reply.masks != nil {
      lines.append(try jsonText(reply))
    }
    return lines
  }

  /// Returns a line that cancels the touches that are down, for when the connection to the daemon
  /// is lost.
  /// - Parameter time: the time on `CLOCK_MONOTONIC`, in µs.
  mutating func cancelAll(atUs time: Int64) throws(Failure) -> [String] {
    guard !down.isEmpty else { return [] }
    let lost = down.values.sorted { $0.id < $1.id }.map { touch in
      var touch = touch
      (touch.phase, touch.cancellation, touch.previous) = (.cancelled, .lost, touch.point)
      return touch
    }
    down = [:]
    return [try jsonText(API.WatchTouches.Reply(atUs: time - startedAtUs, touches: lost))]
  }

  private func isWanted(_ name: String) -> Bool { display == nil || display == name }

  private func check(_ displays: [API.Display]) throws(Failure) {
    guard let display, displays.isEmpty else { return }
    throw Failure(
      "there is no display \(display.printable()) with a touchscreen; 'touchgrid displays' lists "
        + "all displays"
    )
  }
}
