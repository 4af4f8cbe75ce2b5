internal import Glibc
internal import LinuxIO

/// The browser that started this program. Its extension reports the shown page, by native
/// messaging. https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging
final class NativeMessagingSource: ObservationSource {
  private let display: String?
  private let handler: (SourceEvent) -> Void
  private var input: NativeInput
  private var tab = ExtensionTab()
  private var watch: Loop.Watch?

  init(
    loop: Loop, display: String?, _ handler: @escaping (SourceEvent) -> Void
  ) throws(FollowFailure) {
    self.display = display
    self.handler = handler
    input = try NativeInput()
    watch = try input.watch(loop) { [unowned self] in read() }
  }

  private func read() {
    for message in input.read() {
      if case .page(let page) = ExtensionMessage(message) {
        handler(.seen(tab.seen(page, on: display)))
      }
    }
    guard input.isOver else { return }
    watch = nil
    handler(.end)
  }
}
