import Foundation
import Testing

extension DeviceGuestTests {
  /// Disks that fail while ten fingers draw. The fingers' account is copied to /host only
  /// afterwards: writing to /host takes as long as the host's disk needs, and the guest's clock does
  /// not count this time.
  @Suite struct Disks {
    private static let store = "/run/case/disk/touchgrid.db"
    private static let socket = "--socket /run/case/socket"
    private static let configuration = "[socket]\npath = \"/run/case/socket\"\n"

    /// Makes the image of a small ext4 file system, and returns the command that mounts it.
    private static func makeDisk(in test: GuestCase) throws -> String {
      let image = test.folder.appending(path: "disk.img").path
      let made = try Command(
        "/bin/sh", ["-c", "truncate -s 6M '\(image)' && mke2fs -q -t ext4 -m 0 '\(image)'"])
      try #require(made.status == 0, "\(made.errors)")
      // nodelalloc: with delayed allocation, an ext4 that became read-only accepts writes to open
      // files and reports successful flushes.
      return """
        cp \(test.path)/disk.img /run/case/ &&
          mount -o loop,nodelalloc /run/case/disk.img /run/case/disk
        """
    }

    private func waitFor(_ condition: String, in test: GuestCase) throws {
      try test.guest.run(
        "for i in $(seq 120); do \(condition) && exit 0; sleep 1; done; exit 1", timeout: 900)
    }

    /// Returns the lines of the log that concern the store.
    private func complaints(_ test: GuestCase) throws -> [Substring] {
      try test.log.split(separator: "\n").filter { $0.hasPrefix("store: ") }
    }

    @Test
    func `A full or read-only disk harms nothing, is reported once, and everything is written`()
      throws
    {
      let test = try GuestCase("full")
      let guest = test.guest
      try test.start(configuration: Self.configuration, disk: Self.makeDisk(in: test))
      try guest.run(
        """
        python3 fingers.py /run/case/first --seconds 3
        touchgrid end-session \(Self.socket)
        cp /run/case/first \(test.path)/
        """)
      // Clean up after a failure too, because other tests use the same guest.
      defer {
        _ = try? guest.attempt(
          """
          systemctl stop fingers; kill -9 $(cat /run/case/pid); sleep 1
          ! mountpoint -q /run/case/disk || umount /run/case/disk
          """)
      }
      let first = try Account(test.folder.appending(path: "first"))
      try waitFor("python3 books.py \(Self.store) | grep -q '\"ended\": [0-9]'", in: test)
      let older = "python3 books.py \(Self.store) --digest 1"
      let digest = try guest.run(older)

      try guest.run(
        """
        systemd-run --quiet --unit=fingers --property=StandardOutput=file:/run/case/fingers \
          python3 /host/fingers.py /run/case/second
        """)
      let isBad = "! touchgrid status \(Self.socket) >/run/case/status"
      let isFine = "touchgrid status \(Self.socket) >/run/case/status"
      try waitFor("python3 books.py \(Self.store) | grep -q '\"sessions\": 2'", in: test)
      #expect(try complaints(test) == [])

      try guest.run("dd if=/dev/zero of=/run/case/disk/filler bs=4k 2>/dev/null; sync; true")
      try waitFor(isBad, in: test)
      #expect(try guest.run("cat /run/case/status").contains("full"))
      // The daemon keeps retrying meanwhile, but must complain only once.
      try guest.run("sleep \(Endurance.isWanted ? 60 : 12)")
      let whileFull = try complaints(test)
      #expect(whileFull.count == 1, "\(whileFull)")
      #expect(try guest.run(older) == digest)
      try guest.run("rm /run/case/disk/filler")
      try waitFor(isFine, in: test)
      // One line for the failure, one for its end.
      let afterFull = try complaints(test)
      #expect(afterFull.count == 2, "\(afterFull)")

      // The daemon has files open for writing, so only the emergency remount works.
      try guest.run(
        """
        echo u >/proc/sysrq-trigger
        for i in $(seq 100); do grep -q ' /run/case/disk ext4 ro' /proc/mounts && break; sleep 0.5; done
        mount -o remount,rw / && grep -q ' /run/case/disk ext4 ro' /proc/mounts
        """)
      try waitFor(isBad, in: test)
      try guest.run("sleep \(Endurance.isWanted ? 60 : 8)")
      let whileReadOnly = try complaints(test)
      #expect(whileReadOnly.count == 3, "\(whileReadOnly)")
      try guest.run("mount -o remount,rw /run/case/disk")
      try waitFor(isFine, in: test)

      // Copy the account in the command that ends the daemon. Between two commands this guest skips
      // idle time, so the session would end as idle.
      try test.end(after: "systemctl stop fingers; cp /run/case/second \(test.path)/")
      #expect(try guest.run(older) == digest)
      let books = try Books.last(in: guest.run("python3 books.py \(Self.store)"))
      let second = try Account(test.folder.appending(path: "second"))
      let landed = first.landed + second.landed
      #expect(books.areSound, "\(books)")
      #expect(books.sessions == 2)
      #expect(books.begun == landed && books.counted == landed)
      #expect(books.last?.endReason == "stopped")
      Endurance.conclude("disk full and read-only: \(landed) landings, all of them stored")
    }
  }
}
