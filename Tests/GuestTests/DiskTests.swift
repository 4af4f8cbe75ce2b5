import Foundation
import Testing

extension DeviceGuestTests {
  /// Disks that fail or are slow while ten fingers draw. The fingers' account is copied to /host
  /// only afterwards: writing to /host takes as long as the host's disk needs, and the guest's
  /// clock does not count this time.
  @Suite struct Disks {
    private static let rate = 120
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

    @Test
    func `With 3 s for each flush, no event is lost and clients are answered at once`() throws {
      let test = try GuestCase("slow")
      let guest = test.guest
      try Self.makeSlowness(in: test.folder)
      try test.start(
        configuration: Self.configuration,
        environment: "LD_PRELOAD=\(test.path)/slow.so")
      let seconds = Endurance.isWanted ? 60 : 15
      let text = try guest.run(
        """
        python3 waits.py /run/case/socket >/run/case/waits & waits=$!
        trap 'kill $waits 2>/dev/null' EXIT
        python3 fingers.py /run/case/account --rate \(Self.rate) --seconds \(seconds)
        touchgrid end-session \(Self.socket)
        kill $waits; wait $waits
        cat /run/case/waits
        cp /run/case/account \(test.path)/
        """, timeout: 1800)
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("{") }
      let pace = try JSONDecoder().decode(Pace.self, from: Data(#require(lines.first).utf8))
      let waits = try JSONDecoder().decode(Waits.self, from: Data(#require(lines.last).utf8))
      Endurance.conclude("disk of 3 s a flush: \(text)")
      #expect(pace.rate > 0.98 * Double(Self.rate))
      #expect(waits.answers > seconds * 3)
      // An answer that waits for a flush takes up to 3 s.
      #expect(waits.longestMs < 50)
      #expect(waits.drops == 0)
      try test.end()
      let books = try Books.last(in: guest.run("python3 books.py /run/case/touchgrid.db"))
      #expect(books.areSound, "\(books)")
      #expect(books.last?.drops == 0)
      let log = try test.log
      #expect(!log.contains("SYN_DROPPED"), "\(log)")
      let landed = try Account(test.folder.appending(path: "account")).landed
      #expect(books.begun == landed && books.counted == landed)
      // The daemon did flush to the slow disk.
      let flushes = try guest.run("wc -l </run/case/flushes")
      #expect(Int(flushes.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 >= seconds / 8)
    }

    private struct Pace: Decodable {
      let rate: Double
    }

    private struct Waits: Decodable {
      let answers: Int
      let longestMs: Double
      let drops: Int
      private enum CodingKeys: String, CodingKey {
        case answers
        case longestMs = "longest_ms"
        case drops
      }
    }

    /// Builds a library for LD_PRELOAD that delays each flush by 3 s and counts it.
    private static func makeSlowness(in folder: URL) throws {
      let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stddef.h>
        #include <unistd.h>
        static void wait3(void) {
          int notes = open("/run/case/flushes", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
          if (write(notes, "flush\n", 6) < 0) {}
          close(notes);
          sleep(3);
        }
        #define NEXT(type, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, __func__))
        int fsync(int file) { wait3(); return NEXT(int, int)(file); }
        int fdatasync(int file) { wait3(); return NEXT(int, int)(file); }
        int msync(void *at, size_t size, int how) {
          wait3(); return NEXT(int, void *, size_t, int)(at, size, how);
        }
        int sync_file_range(int file, off64_t at, off64_t size, unsigned how) {
          wait3(); return NEXT(int, int, off64_t, off64_t, unsigned)(file, at, size, how);
        }
        """#
      let file = folder.appending(path: "slow.c")
      try source.write(to: file, atomically: true, encoding: .utf8)
      let made = try Command(
        "/usr/bin/env",
        ["cc", "-shared", "-fPIC", "-o", folder.appending(path: "slow.so").path, file.path, "-ldl"])
      try #require(made.status == 0, "\(made.errors)")
    }
  }
}
