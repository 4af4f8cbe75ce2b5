import Foundation
import TestSupport
import Testing

extension DeviceGuestTests {
  /// The memory of the daemon's process, as a core dump would contain it.
  @Suite struct Memory {
    @Test(
      arguments: [("rectangle", "8 touches, 1 counted, 7 masked")]
        + (Guest.isShort
          ? []
          : [
            ("slots", "8 touches, 1 counted, 7 masked"),
            ("single", "8 touches, 1 counted, 7 masked"),
            ("anonymous", "8 touches, 1 counted, 7 masked"),
            ("resting", "9 touches, 2 counted, 7 masked"),
            ("added", "8 touches, 1 counted, 7 masked"),
            ("paused", "1 touch, 1 counted, 0 masked"),
          ]))
    func `A PIN typed in a mask is nowhere in memory once it is settled`(
      kind: String, books: String
    ) throws {
      let test = try GuestCase("memory-\(kind)")
      // If the display's size were a guess, its whole screen would be masked.
      let display = "[[display]]\nname = \"glass\"\nwidth = 1024\nheight = 768\n"
      let half = "x = 512\ny = 0\nwidth = 512\nheight = 768\n" + display
      let rectangle = kind == "rectangle" ? half : ""
      let isMasked = kind != "added" && kind != "paused"
      let mask = isMasked ? "[[mask]]\nscreen = \"pin\"\n\(rectangle)" : ""
      try "[grid]\nblock_size = 2\n\(mask)".write(
        to: test.folder.appending(path: "touchgridd.toml"), atomically: true, encoding: .utf8)
      let seen = try test.guest.attempt(
        """
        rm -rf /run/case && mkdir /run/case && chown nobody /run/case
        env \(try Self.environment()) setpriv --reuid=nobody --regid=nogroup --groups=input \
          touchgridd --config \(test.path)/touchgridd.toml --store /run/case/touchgrid.db \
          --socket /run/case/socket >/run/case/log 2>&1 & daemon=$!
        for i in $(seq 600); do grep -q ready /run/case/log && break; sleep 0.5; done
        touchgrid watch --json --socket /run/case/socket >/dev/null 2>&1 & watch=$!
        python3 /host/memory.py $daemon /run/case/socket \(kind); status=$?
        kill $watch $daemon; wait $daemon || status=$?; cat /run/case/log >&2; exit $status
        """, timeout: 900)
      #expect(seen.status == 0, "\(seen.output)\n\(seen.errors)")
      #expect(seen.errors.contains(books))
    }

    /// Returns the environment that the service's unit sets.
    private static func environment() throws -> String {
      let unit = try Project.text("systemd/touchgridd.service")
      let line = unit.split(separator: "\n").first { $0.hasPrefix("Environment=GLIBC_TUNABLES=") }
      return String(try #require(line).dropFirst("Environment=".count))
    }
  }
}
