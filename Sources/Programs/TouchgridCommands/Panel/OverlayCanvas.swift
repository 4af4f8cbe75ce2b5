import Glibc
import LinuxIO
import Text

/// Shows scenes on the display itself, through a touchgrid-overlay that runs as the user of the
/// desktop. That user is not trusted: the process only receives scenes, and its only accepted
/// answer is `shown`.
final class OverlayCanvas: PanelCanvas {
  /// nil after `clear`.
  private var process: UserProcess?
  private let user: String
  /// The time limit for showing a scene, in ms.
  private static let timeout: Int64 = 30_000

  /// - Parameters:
  ///   - user: the user of the desktop; nil for the only one.
  ///   - monitor: the output's name, if it differs from the display's.
  /// - Returns: nil if there is no desktop, or if the overlay is not installed.
  init?(on display: String, user: String?, monitor: String?) throws(Failure) {
    let program = OverlayCommandLine.program
    let all = program == nil ? [] : try DesktopSession.all(of: user)
    guard let program, let session = all.first else {
      guard let user else { return nil }
      throw Failure(
        program != nil
          ? "the user \(user.printable()) has no desktop" : "install the package touchgrid-overlay")
    }
    guard all.count == 1 else {
      let users = all.map { $0.user.printable() }.joined(separator: ", ")
      throw Failure("several users have a desktop (\(users)): choose one with --user")
    }
    self.user = session.user
    let place = monitor.map { ["--monitor=\(display)=\($0)"] } ?? []
    do throws(SystemError) {
      process = try UserProcess(
        [program, "--scenes=\(display)"] + place,
        environment: session.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 },
        as: session.owner, hasInput: true)
    } catch {
      throw Failure("touchgrid-overlay cannot be started: \(error)")
    }
  }

  func show(_ scene: PanelScene) throws {
    let json: JSONValue = [
      "title": .string(scene.title),
      "lines": .array(
        scene.lines.map {
          [.real($0.from.x), .real($0.from.y), .real($0.to.x), .real($0.to.y)]
        }), "crosses": .array(scene.crosses.map { [.real($0.x), .real($0.y)] }),
    ]
    let answer: String?
    do throws(SystemError) {
      try process?.send(Array((json.text + "\n").utf8))
      answer = try process?.line(within: Self.timeout)
    } catch {
      throw failure("\(error)")
    }
    guard answer == "shown" else { throw failure(answer ?? "it has ended") }
  }

  func clear() { process = nil }

  private func failure(_ reason: String) -> Failure {
    Failure(
      "touchgrid-overlay of the user \(user.printable()) shows nothing: "
        + "\(reason.printable(limit: 1000)); --in-terminal does without it")
  }
}
