import ArgumentParser
import Glibc
import LinuxIO
import ProgramArguments
import Text

/// The options that `touchgrid overlay` passes on to `touchgrid-overlay`. They are parsed here as
/// well, so that the user sees mistakes at once.
struct OverlayCommandLine: ParsableArguments {
  /// The path of touchgrid-overlay, which lies beside this program; nil if it is not installed.
  static var program: String? {
    let path = Folder.of(Files.destination("/proc/self/exe") ?? "") + "/touchgrid-overlay"
    return unsafe access(path, X_OK) == 0 ? path : nil
  }

  @OptionGroup var socket: SocketOption
  @OptionGroup var bubbles: BubbleOptions
  @OptionGroup var place: PlaceOptions

  /// Returns the arguments with absolute paths, because `touchgrid-overlay` runs in another folder.
  func arguments() throws(Failure) -> [String] {
    try socket.arguments() + bubbles.arguments + place.arguments
  }
}
