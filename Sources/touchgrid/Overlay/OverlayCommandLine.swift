import ArgumentParser
import Glibc
import OverlayArguments

/// What `touchgrid-overlay` is called with, checked here so that a mistake is told at once.
struct OverlayCommandLine: ParsableArguments {
  @OptionGroup var socket: SocketOption
  @OptionGroup var bubbles: BubbleOptions
  @OptionGroup var place: PlaceOptions

  /// The arguments of `touchgrid-overlay`, which runs in another folder than this.
  func words() throws(Failure) -> [String] {
    let socket = socket.isNamed ? ["--socket", try absolute(socket.path)] : []
    return socket + bubbles.words + place.words
  }

  private func absolute(_ path: String) throws(Failure) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else {
      throw Failure("the path of this folder cannot be told: \(errorText(errno))")
    }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }
}
