internal import Glibc

/// Shows scenes that another program sends, one per line of standard input. It takes all touches
/// meanwhile, so that no other program gets them. Answers each scene with the line `shown`, or
/// exits with a line that gives the reason for a failure. Exits at the end of its input.
public final class SceneOverlay {
  private let display: String
  private let options: OverlayOptions
  private let process: OverlayProcess
  private var desktop: Desktop { process.desktop }
  private var panes: [any Pane] = []
  private var scene: ShownScene?
  private var isAnswered = true
  private var input: [UInt8] = []

  /// Call this before the process starts another thread.
  /// - Parameter display: the daemon's name of the display on which the scenes are shown.
  public static func run(_ options: OverlayOptions, on display: String) throws(OverlayFailure) {
    do throws(OverlayFailure) { try SceneOverlay(options, display).run() } catch {
      answer("\(error)")
      throw error
    }
  }

  private init(_ options: OverlayOptions, _ display: String) throws(OverlayFailure) {
    self.options = options
    self.display = display
    process = try OverlayProcess(options.backend, for: .scenes)
  }

  private func run() throws(OverlayFailure) {
    desktop.watch { [unowned self] in arrange() }
    arrange()
    guard !panes.isEmpty else {
      let outputs = desktop.outputs.map { $0.name ?? "a monitor without a name" }
      throw .unreachable(
        "no output of the desktop matches the display \(display): use --monitor \(display)=OUTPUT; there "
          + "is: \(outputs.joined(separator: ", "))")
    }
    let source = Source(descriptor: STDIN_FILENO) { [unowned self] in read() }
    defer { panes = [] }
    try withExtendedLifetime(source) { () throws(OverlayFailure) in try process.run() }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0, input.count < ShownScene.limit else { return process.quit() }
    input += bytes.prefix(count)
    // Show only the last one if several scenes have arrived.
    while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
      guard let next = ShownScene(String(decoding: input[..<end], as: UTF8.self)) else {
        Self.answer("a scene is not valid")
        return process.quit()
      }
      scene = next
      isAnswered = false
      input.removeSubrange(...end)
    }
    for pane in panes { pane.wake() }
  }

  /// Creates a pane for each output that shows the display.
  private func arrange() {
    let outputs = desktop.outputs
    let match = OutputMatch(
      displays: [display], outputs: outputs.map(\.name), chosen: options.outputs)
    let old = panes
    let surface = desktop.backend.surface
    panes = zip(outputs, match.displays).filter { !$0.1.isEmpty }.map { output, _ in
      old.first { !$0.isClosed && $0.output.isSame(as: output) && $0.surface == surface }
        ?? desktop.backend.makePane(on: output) { [unowned self] in tick($0) }
    }
    for pane in panes { pane.wake() }
  }

  private func tick(_ pane: any Pane) -> Bool {
    pane.show(scene?.picture(width: pane.width, height: pane.height) ?? .nothing)
    if !isAnswered {
      isAnswered = true
      Self.answer(pane.isCovered ? "a lock screen covers the monitor" : "shown")
    }
    return false
  }

  private static func answer(_ text: String) {
    let line = Array((text.split(separator: "\n").joined(separator: " ") + "\n").utf8)
    _ = unsafe Glibc.write(STDOUT_FILENO, line, line.count)
  }
}
