internal import CGTK
internal import Text
internal import TouchgridAPI

/// Takes all touches in the covers of the daemon's configuration, so that the app gets none of
/// them. It sleeps until the daemon, the desktop or such a touch wakes it up.
public final class CoverOverlay {
  private let options: OverlayOptions
  private let process: OverlayProcess
  /// The displays that the daemon has told last. They stay while it is away: so do the ghosts.
  private var displays: [API.CoveredDisplay] = []
  private var shields: [Shield] = []

  /// Takes touches until SIGTERM or SIGINT. Call this before the process starts another thread.
  public static func run(_ options: OverlayOptions) throws(OverlayFailure) {
    try OverlayFailure.reported { () throws(OverlayFailure) in try CoverOverlay(options).run() }
  }

  private init(_ options: OverlayOptions) throws(OverlayFailure) {
    self.options = options
    process = try OverlayProcess(options.backend, for: .shields)
  }

  private func run() throws(OverlayFailure) {
    process.desktop.watch { [unowned self] in arrange() }
    try process.watch(API.WatchCovers(), path: options.socket) { [unowned self] in handle($0) }
    defer { shields = [] }
    try process.run()
  }

  private func handle(_ event: LiveReplies<API.WatchCovers>.Event) {
    guard case .reply(let reply) = event else { return }
    displays = reply.displays
    arrange()
    if shields.isEmpty { process.reportReady() }
  }

  /// Has a shield on each output with covers, and none on the others.
  private func arrange() {
    let desktop = process.desktop
    let outputs = desktop.outputs
    let match = OutputMatch(
      displays: displays.map(\.name), outputs: outputs.map(\.name), chosen: options.outputs)
    let former = shields
    shields = []
    for (output, names) in zip(outputs, match.displays) {
      let areas = displays.filter { names.contains($0.name) }.flatMap { $0.areas(on: output) }
      guard !areas.isEmpty else { continue }
      let shield =
        former.first { !$0.isClosed && $0.output.isSame(as: output) }
        ?? desktop.backend.makeShield(on: output) { [unowned self] in handle($0) }
      shield.areas = areas
      shields.append(shield)
    }
    let areas = shields.reduce(0) { $0 + ($1.areas?.count ?? 0) }
    let hidden = displays.filter { match.unplaced.contains($0.name) && !$0.covers.isEmpty }
    process.report.setStatus(
      hidden.isEmpty
        ? "taking the touches in \(counted(areas, "cover"))"
        : "no output matches the display \(hidden[0].name), which has covers: use --monitor")
  }

  private func handle(_ event: Shield.Event) {
    switch event {
    case .appeared: if shields.allSatisfy(\.isThere) { process.reportReady() }
    case .closed: process.desktop.backend.closed?()
    case .began, .ended: break
    }
  }
}

extension API.CoveredDisplay {
  /// The covers in points of an output that shows the display, which is stretched over it.
  fileprivate func areas(on output: Output) -> [Area] {
    guard width > 0, height > 0 else { return [] }
    let (x, y) = (Double(output.place.width) / width, Double(output.place.height) / height)
    return covers.map {
      Area(covering: $0.x * x, $0.y * y, ($0.x + $0.width) * x, ($0.y + $0.height) * y)
    }
  }
}
