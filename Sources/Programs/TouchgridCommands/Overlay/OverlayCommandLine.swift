import ArgumentParser
import Glibc
import ProgramArguments
import Text

/// The options that `touchgrid overlay` passes on to `touchgrid-overlay`. They are parsed here as
/// well, so that the user sees mistakes at once.
struct OverlayCommandLine: ParsableArguments {
  @OptionGroup var socket: SocketOption
  @OptionGroup var bubbles: BubbleOptions
  @OptionGroup var place: PlaceOptions

  /// Returns the arguments with absolute paths, because `touchgrid-overlay` runs in another folder.
  func arguments() throws(Failure) -> [String] {
    let socket = socket.isNamed ? ["--socket", try absolute(socket.path)] : []
    return socket + bubbles.arguments + place.arguments
  }

  private func absolute(_ path: String) throws(Failure) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else {
      throw Failure("cannot determine the current folder: \(errorText(errno))")
    }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }
}
