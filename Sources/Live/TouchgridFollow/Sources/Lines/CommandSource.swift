internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel

/// Runs a program that prints the names of screens, and starts it again when it ends.
final class CommandSource: ObservationSource {
  private let name: String
  private let loop: Loop
  private let words: [String]
  private let display: String?
  private let handler: (SourceEvent) -> Void
  private var delay = RetryDelay(shortest: 500, longest: 30_000)
  private var run: (child: ChildProcess, reader: LineReader, watch: Loop.Watch)?
  private var timer: Loop.Timer?

  init(
    loop: Loop, words: [String], display: String?, _ handler: @escaping (SourceEvent) -> Void
  ) {
    self.loop = loop
    self.words = words
    self.display = display
    self.handler = handler
    name = "the command \((words.first ?? "").printable(limit: 200))"
    timer = loop.after(milliseconds: 0) { [unowned self] in start() }
  }

  private func start() {
    do throws(SystemError) {
      var output = FileDescriptor(owning: -1)
      let child = try ChildProcess(words, output: &output)
      let reader = LineReader(output, display: display) { [unowned self] event in
        delay.reset()
        handler(event)
      }
      let watch = try loop.watch(reader.descriptor) { [unowned self] in read() }
      run = (child, reader, watch)
    } catch {
      again("\(error)")
    }
  }

  private func read() {
    guard let (child, reader, _) = run, case .end = reader.read() else { return }
    run = nil
    let status = child.end()
    handler(.seen(ObservedScreen(display: display, content: .unknown, time: Clocks.monotonic)))
    again("\(name) has ended (\(status))")
  }

  private func again(_ reason: String) {
    handler(.state("\(reason.printable(limit: 500)): starting it again"))
    timer = loop.after(milliseconds: delay.next()) { [unowned self] in start() }
  }
}
