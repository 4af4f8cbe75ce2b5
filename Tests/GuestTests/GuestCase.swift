import Foundation
import Recordings
import Storage
import TestSupport
import TouchModel

/// One run of the daemon in the guest, as a user whose only right is the group `input`.
final class GuestCase {
  let guest: Guest
  let name: String
  /// The case's folder on the host; `path` is the same folder in the guest.
  let folder: URL
  var path: String { "/host/\(name)" }

  init(_ name: String, on guest: Guest? = nil) throws {
    self.guest = try guest ?? Guest.shared()
    self.name = name
    folder = self.guest.share.appending(path: name)
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  // MARK: The daemon

  /// Starts the daemon and waits until it listens.
  /// - Parameters:
  ///   - disk: A command that mounts `/run/case/disk`, which then holds the store.
  ///   - command: Runs in the guest just before the daemon, as a part of the same command: the
  ///     guest's clock skips the time between two commands of the host.
  func start(
    configuration: String = "", disk: String? = nil, after command: String = "true"
  ) throws {
    try configuration.write(
      to: folder.appending(path: "touchgridd.toml"), atomically: true, encoding: .utf8)
    let store = disk == nil ? "/run/case/touchgrid.db" : "/run/case/disk/touchgrid.db"
    try guest.run(
      """
      # A test that failed may have left its daemon, which would write to this one's store.
      [ ! -e /run/case/pid ] || kill -KILL $(cat /run/case/pid) 2>/dev/null
      rm -rf /run/case && mkdir -p /run/case/disk && chown nobody /run/case || exit 1
      \(disk.map { "{ \($0); } && chown nobody /run/case/disk || exit 1" } ?? "")
      \(command)
      setpriv --reuid=nobody --regid=nogroup --groups=input \
        touchgridd --config \(path)/touchgridd.toml --store \(store) \
        >/run/case/log 2>&1 & echo $! >/run/case/pid
      for i in $(seq 600); do grep -q 'ready' /run/case/log && exit 0; sleep 0.5; done
      cat /run/case/log >&2; exit 1
      """)
  }

  var log: String {
    get throws { try guest.run("cat /run/case/log") }
  }

  /// Waits until the log contains at least `count` lines with `text`. Throws after `seconds`.
  func waitForLog(_ text: String, count: Int = 1, seconds: Int = 60) throws {
    try guest.run(
      "\(Self.awaiting)\nawait '\(text)' \(count) \(seconds)", timeout: 10 * seconds + 600)
  }

  /// A function of sh: `await TEXT [COUNT] [SECONDS]` waits until the log contains at least COUNT
  /// (default 1) lines with TEXT. It ends the shell with 1 after SECONDS (default 30).
  static let awaiting = #"""
    await() {
      for i in $(seq $((${3-30} * 2))); do
        [ $(grep -cF -- "$1" /run/case/log) -ge ${2-1} ] && return; sleep 0.5
      done
      echo "not in the log: $1" >&2; cat /run/case/log >&2; exit 1
    }
    """#

  /// Ends the daemon with SIGTERM, as systemd would.
  /// - Parameter command: Runs in the guest just before.
  /// - Throws: `Failure` if the daemon does not end within 300 s.
  func end(after command: String = "true") throws {
    try guest.run(
      """
      \(command)
      pid=$(cat /run/case/pid); kill -TERM $pid
      for i in $(seq 600); do kill -0 $pid 2>/dev/null || break; sleep 0.5; done
      if kill -0 $pid 2>/dev/null; then kill -9 $pid; echo 'did not end' >&2; exit 1; fi
      """)
  }

  /// Ends the daemon and opens its store.
  func stop() throws -> Store {
    try end()
    try guest.run("cp /run/case/touchgrid.db* /run/case/log \(path)/")
    return try Store(reading: folder.appending(path: "touchgrid.db").path)
  }

  // MARK: Devices

  /// Returns commands that play a recording in the background, as `$play`, and continue once a
  /// finger is down. The program that waits for the finger starts before the device exists, because
  /// Python starts slowly.
  /// - Parameter file: A path in the guest.
  static func untilFinger(playing file: String) -> String {
    """
    python3 -c 'import evdev, os, time
    print("ready", flush=True)
    while not os.path.exists("/run/case/node"): time.sleep(0.05)
    panel = evdev.InputDevice(open("/run/case/node").read().strip())
    while not panel.active_keys(): time.sleep(0.05)' >/run/case/eyes & eyes=$!
    for i in $(seq 600); do [ -s /run/case/eyes ] && break; sleep 0.5; done
    touchgrid play \(file) --start-after 1 --hold 1 --node-file /run/case/node & play=$!
    wait $eyes || exit 1
    """
  }

  /// Writes a recording to the case's folder.
  /// - Returns: The path in the guest.
  func write(_ recording: Recording, as file: String) throws -> String {
    try recording.evemuText.write(
      to: folder.appending(path: file), atomically: true, encoding: .utf8)
    return "\(path)/\(file)"
  }

  /// Plays a recording on a virtual touchscreen, from plugging it in to unplugging it.
  func play(_ recording: Recording, _ options: String = "", timeout: Int = 900) throws {
    let file = try write(recording, as: "recording.evemu")
    try guest.run("touchgrid play \(file) --start-after 1 \(options)", timeout: timeout)
  }
}

extension Store {
  /// Returns the store's only session. Throws if it has none or several.
  func onlySession() throws -> StoredSession {
    let all = try sessions(in: .always)
    guard all.count == 1, let session = all.first else {
      throw Guest.Failure(description: "\(all.count) sessions instead of one")
    }
    return session
  }

  /// Returns a layer's counts by block, added up over the screens of the displays whose names
  /// contain `display`; of all displays if it is nil.
  func counts(_ layer: Layer, display: String? = nil) throws -> [Block: UInt64] {
    var counts: [Block: UInt64] = [:]
    for summary in try grids(screen: nil, layer: layer, in: .always)
    where display.map(summary.key.display.contains) ?? true {
      let columns = summary.key.geometry.columns
      for index in 0..<summary.sum.count where summary.sum[index] > 0 {
        counts[Block(column: index % columns, row: index / columns), default: 0] +=
          summary.sum[index]
      }
    }
    return counts
  }
}
