import Foundation
import Recordings
import Storage
import Synchronization

/// A fresh Debian of one suite, booted once for all tests of the package. The package is all that
/// it has of this project.
final class PackagedGuest: Sendable {
  let guest: Guest
  /// The paths that existed before the package; nil if they were not listed, which takes many
  /// seconds in emulation.
  private let pathsBefore: Set<String>?
  private let isInstalled = Atomic(false)
  private static let known = Mutex<[String: Result<PackagedGuest, any Error>]>([:])

  /// Returns the guest of a suite with the package installed. It is booted at the first call.
  static func shared(_ suite: String) throws -> PackagedGuest {
    let packaged = try known.withLock { known in
      if let guest = known[suite] { return guest }
      let guest = Result {
        try PackagedGuest(
          on: Guest(suite: suite, clock: .instructionsAndIdle), listsPaths: true)
      }
      known[suite] = guest
      return guest
    }.get()
    if !packaged.isInstalled.load(ordering: .relaxed) { try packaged.install() }
    return packaged
  }

  /// Copies the package to the guest without installing it.
  /// - Parameter listsPaths: Whether `pathsLeft` will be called.
  init(on guest: Guest, listsPaths: Bool = false) throws {
    self.guest = guest
    pathsBefore = listsPaths ? try Self.paths(in: guest) : nil
    try guest.takePackages("touchgrid")
  }

  // MARK: The package

  /// Installs a package from the shared folder, as a user would. Its dependencies must be
  /// installed, because the guest has no network.
  func install(_ file: String = "touchgrid.deb") throws {
    try guest.run("\(Self.apt) install ./\(file)")
    // A fresh installation masks everything.
    try guest.run(
      "[ -e \(Guest.configuration) ] || touchgrid status | grep 'MASKING EVERYTHING until set up'")
    try guest.run(Guest.setUp)
    isInstalled.store(true, ordering: .relaxed)
  }

  /// Starts the service as after a first installation: without a configuration and a store.
  func startAfresh() throws {
    try guest.run(
      """
      systemctl stop touchgridd.service touchgridd.socket
      rm -rf /var/lib/touchgrid/* \(Guest.configuration)*
      journalctl --rotate && journalctl --vacuum-time=1s
      systemctl start touchgridd
      """)
  }

  /// Removes the package but keeps its configuration.
  func remove() throws {
    isInstalled.store(false, ordering: .relaxed)
    try guest.run("\(Self.apt) remove touchgrid")
  }

  /// Removes the package together with its configuration and data.
  /// - Returns: The output of apt.
  func purge() throws -> String {
    isInstalled.store(false, ordering: .relaxed)
    return try guest.run("\(Self.apt) purge touchgrid")
  }

  private static let apt = "DEBIAN_FRONTEND=noninteractive apt-get -qqy -o Dpkg::Use-Pty=0"

  /// Writes a package with a higher version to the shared folder.
  /// - Returns: Its name.
  func makeNextVersion() throws -> String {
    let next = "touchgrid-next.deb"
    let script = """
      set -e
      cd '\(guest.share.path)'
      rm -rf next
      dpkg-deb -R touchgrid.deb next
      sed -i 's/^Version: .*/&+next/' next/DEBIAN/control
      dpkg-deb -Znone -b next \(next)
      rm -r next
      """
    let result = try Command("/bin/sh", ["-c", script])
    guard result.status == 0 else { throw Guest.Failure(description: result.errors) }
    return next
  }

  /// Returns the paths that did not exist before the package, except logs, caches, and the records
  /// of dpkg and systemd.
  func pathsLeft() throws -> Set<String> {
    guard let pathsBefore else { throw Guest.Failure(description: "no paths were listed before") }
    return try Self.paths(in: guest).subtracting(pathsBefore)
  }

  private static func paths(in guest: Guest) throws -> Set<String> {
    let text = try guest.run(
      """
      find / /run -xdev \\( -path /host -o -path /proc -o -path /sys -o -path /tmp -o -path /root \
        -o -path /var/log -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg \
        -o -path /var/tmp -o -path /run/systemd -o -path /run/udev -o -path /run/guest \
        -o -path /run/log -o -path /run/user -o -name __pycache__ \\) -prune -o -print
      """)
    return Set(text.split(separator: "\n").map(String.init))
  }

  // MARK: The service

  /// Plays a recording on a virtual touchscreen, from plugging it in to unplugging it.
  func play(_ recording: Recording) throws {
    try recording.evemuText.write(
      to: guest.share.appending(path: "recording.evemu"), atomically: true, encoding: .utf8)
    try guest.run("touchgrid play /host/recording.evemu --start-after 2")
  }

  /// Returns a copy of the service's store. The service must not be running.
  func store() throws -> Store {
    try guest.run("rm -f /host/touchgrid.db*; cp /var/lib/touchgrid/touchgrid.db* /host/")
    return try Store(reading: guest.share.appending(path: "touchgrid.db").path)
  }
}
