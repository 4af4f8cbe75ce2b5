internal import LinuxIO
internal import TouchgridAPI

/// Tells the daemon on which displays the app gets no touches. A display stays so until it is left
/// out of `displays`, or until this object is released.
final class SwallowedTouches {
  private let connection: TouchgridConnection
  private let report: ServiceReport
  private var source: Source?
  /// When the app got no touches any more, in µs on `CLOCK_MONOTONIC`, by display.
  private var since: [String: Int64] = [:]
  /// The calls that have no answer yet. The first one is sent if `isSent`.
  private var calls: [API.Swallow] = []
  private var isSent = false

  /// - Parameter path: The path of the daemon's socket.
  init(path: String, _ report: ServiceReport) throws(OverlayFailure) {
    self.report = report
    do throws(TouchgridError) {
      connection = try TouchgridConnection(path: path, opening: ConnectionOpening())
    } catch {
      throw .system("\(error)")
    }
    source = Source(descriptor: connection.descriptor) { [unowned self] in proceed() }
  }

  var displays: Set<String> = [] {
    didSet {
      guard displays != oldValue else { return }
      let now = Clocks.monotonic
      for display in displays.subtracting(oldValue).sorted() {
        since[display] = now
        calls.append(call(display, since: now, until: nil))
      }
      for display in oldValue.subtracting(displays).sorted() {
        guard let start = since.removeValue(forKey: display) else { continue }
        calls.append(call(display, since: start, until: now))
      }
      proceed()
    }
  }

  private func call(_ display: String, since: Int64, until: Int64?) -> API.Swallow {
    API.Swallow(display: display, sinceAtUs: since, untilAtUs: until, isUse: true)
  }

  private func proceed() {
    while let event = connection.next() {
      isSent = false
      // The daemon has ended the spans of the former connection.
      if case .connected = event {
        calls = since.sorted { $0.key < $1.key }.map { call($0.key, since: $0.value, until: nil) }
      } else {
        calls = []
      }
    }
    while connection.isConnected, let call = calls.first {
      do throws(TouchgridError) {
        if !isSent { try connection.start(call) }
        isSent = true
        guard try connection.receive(API.Swallow.self) != nil else { return }
      } catch {
        if connection.isConnected {
          report.warn("the daemon counts touches that the app does not get: \(error)")
        }
      }
      isSent = false
      calls.removeFirst()
    }
  }
}
