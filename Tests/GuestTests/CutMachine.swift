import Foundation

/// A machine with the package installed. Its power fails while fingers draw.
final class CutMachine {
  /// The daemon's work during which the power fails.
  enum Work: String, CaseIterable {
    case drawing, creating, rollingUp, retaining, dayChange
  }

  struct Cut {
    /// The store before the fingers drew.
    var before: Books
    /// The fingers' account; nil if the power failed before the first touch-down, which can happen
    /// during the daemon's work at its start.
    var account: Account?

    /// The longest pause, in seconds, in the fingers' account before the power failed. Nothing in
    /// the guest delays the fingers, which have real-time priority, but writing their account waits
    /// for the host's disk.
    var stillness: Double { account?.longestPause ?? 0 }

    /// Whether the account paused for so long that it does not show what this cut has lost.
    var stoodStill: Bool { stillness > 0.5 }
  }

  struct Look {
    /// The store as the cut left it.
    var found: Books
    /// The store after the daemon opened it.
    var recovered: Books
  }

  let guest: Guest
  private var recovered: Books?
  private var number = 0
  private static let store = "/var/lib/touchgrid/touchgrid.db"

  init() throws {
    guest = try Guest(suite: Guest.suites.first, kept: "cut", clock: .instructionsAndIdle)
    try guest.takePackages("touchgrid")
    // Other tests cover the installation by apt.
    try guest.run("DEBIAN_FRONTEND=noninteractive dpkg --install touchgrid.deb && \(Guest.setUp)")
    // At each boot, copy the store as the power cut left it, before the daemon opens it.
    try guest.run(
      """
      echo '[Unit]
      Before=touchgridd.service
      [Service]
      Type=oneshot
      ExecStart=/bin/sh -c "rm -rf /run/cut; cp -r /var/lib/touchgrid /run/cut"
      [Install]
      RequiredBy=touchgridd.service' >/etc/systemd/system/cut.service
      systemctl enable --quiet cut.service && sync
      """)
  }

  // MARK: The cut

  /// Lets fingers draw and the daemon work, and cuts the power at a random moment.
  func cut(while work: Work) throws -> Cut {
    number += 1
    let account = guest.share.appending(path: "account-\(number)")
    let before = try prepare(work)
    try guest.run(
      "systemd-run --quiet --unit=fingers python3 /host/fingers.py /host/\(account.lastPathComponent)"
    )
    let hasLanded = try waitForTheMoment(work, account: account)
    try guest.cut()
    return Cut(
      before: before, account: hasLanded ? try Account(account) : try? Account(account))
  }

  private func prepare(_ work: Work) throws -> Books {
    let change =
      switch work {
      case .drawing, .dayChange: ""
      case .creating: "rm -f \(Self.store)*"
      // Add sessions of past days for the roll-up, or sessions that are too old to be kept.
      case .rollingUp: "python3 past.py \(Self.store) add 40 \(Int.random(in: 6...60))"
      case .retaining: "python3 past.py \(Self.store) add 40 \(Int.random(in: 100...900))"
      }
    if change.isEmpty, let recovered { return recovered }
    let look = try guest.run(
      """
      systemctl stop touchgridd.service && \(change.isEmpty ? "true" : change) || exit 1
      python3 books.py \(Self.store) || exit 1
      if [ \(work) = creating ]; then rm -f \(Self.store)*; else chown touchgrid: \(Self.store)*; fi
      sync; systemctl start --no-block touchgridd.service
      """)
    return try Books.last(in: look)
  }

  /// Waits until the power should fail.
  /// - Returns: Whether the fingers have certainly begun to draw. If not, the power fails within
  ///   the first 3 s of the daemon's work at its start.
  private func waitForTheMoment(_ work: Work, account: URL) throws -> Bool {
    let worksAtStart = work != .drawing && work != .dayChange
    if worksAtStart, Bool.random() {
      pause(0...3)
      return false
    }
    // Nearer to the last checkpoint, a single cut proves little.
    let seconds = Double.random(in: Guest.isShort ? 7...10 : 1...15)
    let deadline = Date(timeIntervalSinceNow: 900)
    while (try? Account(account))?.seconds ?? 0 < seconds {
      guard Date() < deadline else {
        throw Guest.Failure(description: "no finger draws for \(seconds.short) s")
      }
      Thread.sleep(forTimeInterval: 0.2)
    }
    if work == .dayChange {
      // The ending session waits for fingers that are down; the roll-up follows it.
      try guest.run("date -s '+1 day' && touchgrid end-session")
      pause(0...7)
    }
    return true
  }

  private func pause(_ seconds: ClosedRange<Double>) {
    Thread.sleep(forTimeInterval: .random(in: seconds))
  }

  // MARK: The store after the cut

  /// Boots, waits until the daemon answers, and reads the store.
  func look() throws -> Look {
    try guest.bootAfterCut()
    let text = try guest.run(
      """
      python3 books.py /run/cut/touchgrid.db || exit 1
      touchgrid status >&2 || { journalctl -b -u touchgridd >&2; exit 1; }
      python3 books.py \(Self.store)
      """)
    let looks = try Books.all(in: text)
    guard looks.count == 2 else {
      throw Guest.Failure(description: "\(looks.count) looks at the store")
    }
    recovered = looks[1]
    return Look(found: looks[0], recovered: looks[1])
  }
}
