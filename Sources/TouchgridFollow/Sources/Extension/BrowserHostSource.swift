internal import Glibc
internal import LinuxIO
internal import ScreenNaming
internal import Varlink

/// The browser that runs this program: its extension tells which page is shown, by native messaging.
/// https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging
final class BrowserHostSource: SightingSource {
  private struct Page: Decodable {
    var url: String?
    var title: String?
    /// When it changed, in milliseconds since 1970, by the clock that everybody has.
    var atMs: Double?
  }

  let name = "the browser"
  private let display: String?
  private let handler: (SourceEvent) -> Void
  private let input: FileDescriptor
  private var messages = NativeMessages()
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var watch: Loop.Watch?

  init(
    loop: Loop, display: String?, _ handler: @escaping (SourceEvent) -> Void
  ) throws(FollowFailure) {
    self.display = display
    self.handler = handler
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system("\(SystemError(context: "reading standard input"))") }
    input = FileDescriptor(owning: copy)
    do throws(SystemError) {
      watch = try loop.watch(copy) { [unowned self] in read() }
    } catch {
      throw .nothingToFollow(
        "standard input is no browser's: --native-messaging is for a browser that runs this program"
      )
    }
  }

  private func read() {
    let count: Int?
    do throws(SystemError) { count = try input.read(into: &buffer) } catch { count = 0 }
    guard let count else { return }
    guard count > 0 else { return end() }
    for message in messages.take(buffer[..<count]) {
      if let page = ForeignJSON.decode(Page.self, from: message[...]) { tell(page) }
    }
    if messages.isBroken { end() }
  }

  private func tell(_ page: Page) {
    let content = page.url.map { SeenScreen.Content.sighting(Sighting(url: $0, title: page.title)) }
    let time = Clocks.monotonic - age(page.atMs)
    handler(.seen(SeenScreen(display: display, content: content ?? .nothing, time: time)))
  }

  /// How long ago it was, in microseconds, at most a second: of a clock that was set meanwhile nothing is to be believed.
  private func age(_ time: Double?) -> Int64 {
    guard let time else { return 0 }
    let age = Double(Clocks.wall) - time
    return age > 0 && age <= 1000 ? Int64(age * 1000) : 0
  }

  private func end() {
    watch = nil
    handler(.end)
  }
}
