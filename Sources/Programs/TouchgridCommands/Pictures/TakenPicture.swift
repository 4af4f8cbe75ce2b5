import Glibc
import Heatmaps
import LinuxIO
import Text
import TouchModel

/// A picture that a touchgrid-follow of another user took of its browser. It is not trusted: the
/// user could run any program in place of the follower.
struct TakenPicture {
  var screen: String
  var picture: Screenshot

  /// The maximum size of the output: a picture in Base64, and a margin.
  private static let limit = ScreenshotFolder.limit / 3 * 4 + (64 << 10)

  private struct Output: Decodable {
    var screen: String?
    var data: String?
    var error: String?
  }

  /// Takes a picture, in a process of the follower's user.
  /// - Parameters:
  ///   - screen: the required screen; nil for any.
  ///   - program: the path of touchgrid-follow.
  ///   - milliseconds: the time limit. The process itself has a shorter one.
  /// - Throws: the reason why there is no picture.
  init(
    of screen: String?, by follower: RunningFollower, program: String, within milliseconds: Int64
  ) throws(Failure) {
    var words = [program, "--take-picture"]
    if let screen { words += ["--screen=\(screen)"] }
    if let config = follower.start.config { words += ["--config=\(config)"] }
    if let socket = follower.start.socket { words += ["--socket=\(socket)"] }
    let environment = follower.start.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try UserProcess(words, environment: environment, as: follower.owner)
        .read(limit: Self.limit, within: milliseconds)
    } catch {
      let reason =
        switch error.code {
        case EFBIG: "it sent more than a picture of \(ScreenshotFolder.limit >> 20) MiB"
        case ETIMEDOUT: "it took longer than \(max(0, milliseconds) / 1000) s"
        default: "\(error)"
        }
      throw Self.failure(follower, reason)
    }
    try self.init(bytes, of: screen, by: follower)
  }

  /// Parses the output of the process.
  init(_ bytes: [UInt8], of wanted: String?, by follower: RunningFollower) throws(Failure) {
    guard let output = try? JSON.decode(Output.self, from: bytes[...]) else {
      throw Self.failure(
        follower, bytes.isEmpty ? "it ended without an answer" : "it sent no valid answer")
    }
    if let error = output.error { throw Self.failure(follower, error.printable(limit: 1000)) }
    guard let screen = output.screen?.asName,
      let picture = output.data.flatMap(Text.bytes(ofBase64:))
    else { throw Self.failure(follower, "it sent no valid answer") }
    guard wanted == nil || wanted == screen else {
      throw Self.failure(follower, "it sent a picture of the screen \(screen.printable())")
    }
    self.screen = screen
    do throws(ScreenshotError) { self.picture = try Screenshot(picture) } catch {
      throw Self.failure(follower, "its picture \(error)")
    }
  }

  private static func failure(_ follower: RunningFollower, _ reason: String) -> Failure {
    Failure("no picture from touchgrid-follow of the user \(follower.user.printable()): \(reason)")
  }
}
