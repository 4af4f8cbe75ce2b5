import ArgumentParser
import Heatmaps
import Text
import TouchModel
import TouchgridAPI

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the daemon's state.",
    discussion: """
      Prints its session, the last touch, the counts since its start, its store, its clients, and \
      what waits for touchgrid-upload if that is installed. Says if the store or changes of the \
      configuration are lost when the machine restarts. Exit status 1 if there is no daemon, or if its store cannot be written.
      """)

  @OptionGroup var socket: SocketOption

  @Flag(
    help: ArgumentHelp(
      "The daemon's reply as JSON (GetStatus of the interface io.touchgrid).",
      discussion: """
        Its member "storage" has, for "store" and "configuration", what becomes of changes when the \
        machine restarts: "persistent", "volatile" (lost), "uncertain", "readOnly" or "unknown".
        """))
  var json = false

  func run() throws {
    let status = try socket.connect().call(API.GetStatus())
    let places = [StoragePlace.store(status.store.path), .configuration()]
    if json {
      try writeJSON(Reply(status: status, places: places))
    } else {
      var sheet = Self.sheet(status, now: .now)
      if case .known(let upload) = UploadStatus.read() {
        sheet.facts.append(("upload", upload.words))
      }
      sheet.facts += places.compactMap(\.warning).map {
        ("storage", "\($0); 'touchgrid doctor' says what to do")
      }
      try writeLines(sheet.lines(width: Terminal.width))
    }
    if status.store.error != nil { throw ExitCode.failure }
  }

  /// The daemon's reply, and the findings of this program.
  struct Reply: Encodable {
    let status: API.GetStatus.Reply
    let places: [StoragePlace]

    private enum Key: CodingKey { case storage }

    func encode(to encoder: any Encoder) throws {
      try status.encode(to: encoder)
      var members = encoder.container(keyedBy: Key.self)
      let words = places.map { ("\($0.content)", $0.persistence.word) }
      try members.encode(Dictionary(words) { first, _ in first }, forKey: .storage)
    }
  }

  static func sheet(_ status: API.GetStatus.Reply, now: WallTime) -> FactSheet {
    var sheet = FactSheet(
      title: "touchgridd \(status.version.printable()), up \(longDuration(status.uptimeMs))",
      facts: [
        ("recording", recording(status)),
        ("session", session(status.session)),
        ("last touch", lastTouch(status, now: now)),
        ("counted", status.tally.words + " since the start"),
        ("devices", devices(status)),
      ] + masks(status) + [
        ("store", store(status.store)),
        (
          "clients",
          "\(status.clients): \(status.watchers) watching live touches, "
            + counted(UInt64(clamping: status.followers), "follower")
        ),
      ])
    if !status.restartNeededFor.isEmpty {
      sheet.facts.insert(("restart", neededRestart(status)), at: 1)
    }
    if status.grids.isFull { sheet.facts.insert(("grids", fullGrids(status.grids)), at: 3) }
    return sheet
  }

  private static func recording(_ status: API.GetStatus.Reply) -> String {
    guard status.pauses == 0 else {
      return "PAUSED by \(counted(UInt64(clamping: status.pauses), "client")); "
        + "'touchgrid resume' ends all pauses"
    }
    if status.masksEverything {
      return "MASKING EVERYTHING until set up: touches are only counted; run 'sudo touchgrid setup'"
    }
    return switch status.mode {
    case .automatic: "on; a touch begins a session if none is running"
    case .manual: "on; clients begin and end sessions"
    }
  }

  private static func neededRestart(_ status: API.GetStatus.Reply) -> String {
    "NEEDED for \(status.restartText): 'sudo systemctl restart touchgridd' applies the new configuration"
  }

  private static func session(_ session: API.Session?) -> String {
    guard let session else { return "none" }
    let record = session.sessionRecord
    let began = LocalTime(record.began)?.text ?? "?"
    let tags = record.tags.sorted { $0.key < $1.key }
      .map { ", \($0.key.printable())=\($0.value.printable())" }.joined()
    return
      "\(session.id) since \(began), \(counted(record.totals.begun, "touch", "touches"))\(tags)"
  }

  private static func lastTouch(_ status: API.GetStatus.Reply, now: WallTime) -> String {
    let down =
      status.touchesDown > 0
      ? "; \(counted(UInt64(clamping: status.touchesDown), "touch", "touches")) down now" : ""
    guard let time = status.lastTouchAtMs else { return "none since the start" + down }
    let elapsed = now.milliseconds.subtractingReportingOverflow(time)
    let shown = LocalTime(WallTime(milliseconds: time))?.text ?? "?"
    guard !elapsed.overflow, elapsed.partialValue >= 0 else { return shown + down }
    return "\(shown), \(longDuration(elapsed.partialValue)) ago" + down
  }

  private static func fullGrids(_ grids: API.GridMemory) -> String {
    "FULL, \(bytesText(grids.bytes)) of \(bytesText(grids.limitBytes)): touches on further screens "
      + "are counted on the screen \"\(SessionRecorder.otherScreen)\""
  }

  private static func devices(_ status: API.GetStatus.Reply) -> String {
    let refused = status.refusedDevices
    let text =
      status.devices > 0
      ? counted(UInt64(clamping: status.devices), "touchscreen") : "no touchscreen"
    guard refused > 0 else { return text }
    return text + ", \(refused) not read: 'touchgrid devices' shows why"
  }

  private static func masks(_ status: API.GetStatus.Reply) -> [(String, String)] {
    guard status.widenedMasks > 0 else { return [] }
    let screens = counted(UInt64(clamping: status.widenedMasks), "screen")
    return [
      (
        "masks",
        "\(screens) MASKED COMPLETELY, because the size of a display, or the display of a "
          + "touchscreen, is only guessed: 'touchgrid doctor' says what to do"
      )
    ]
  }

  private static func store(_ store: API.Store) -> String {
    var parts = ["\(store.path.printable(limit: 1000)), \(bytesText(store.bytes))"]
    if let error = store.error {
      parts.append("CANNOT BE WRITTEN: \(error.printable(limit: 1000))")
    }
    // A write to a healthy disk takes less than 5 s.
    if let busy = store.busyForMs, busy >= 5000 {
      parts.append("ONE WRITE HAS TAKEN \(longDuration(busy)) SO FAR: the disk may be hanging")
    }
    if store.error != nil || store.busyForMs ?? 0 >= 5000 {
      parts.append("\(bytesText(store.waitingBytes)) waiting in memory")
    }
    if store.givenUp > 0 {
      let sessions = counted(UInt64(clamping: store.givenUp), "session")
      parts.append("\(sessions) LOST, because the memory for unwritten sessions was full")
    }
    if let aside = store.movedAside?.printable(limit: 1000) {
      parts.append(
        "the damaged store was moved to \(aside); 'sudo touchgrid store recover \(aside)' saves "
          + "what can be read")
    }
    return parts.joined(separator: "; ")
  }
}

extension API.DeviceTally {
  /// The counters as text, such as `12 touches, 3 suspected ghosts`. The touches are always
  /// included; other counters only if they are above 0.
  var words: String {
    let notes = [
      (unrecorded, "not recorded", "not recorded"),
      (suspectedGhosts, "suspected ghost", "suspected ghosts"),
      (echoes, "virtual duplicate", "virtual duplicates"),
      (drops, "loss of events", "losses of events"),
    ]
    let counts = notes.filter { $0.0 > 0 }.map { count, one, many in counted(count, one, many) }
    return ([counted(UInt64(clamping: touches), "touch", "touches")] + counts)
      .joined(separator: ", ")
  }
}
