import Foundation
import Testing

extension PackagedGuestTests {
  /// The packaged service and its clients, as users with the rights of their groups.
  @Suite struct PackageSocket {
    /// Returns a command that runs as a member of one group.
    private static func member(of group: String, _ command: String) -> String {
      "setpriv --reuid=nobody --regid=nogroup --groups=\(group) \(command)"
    }

    private static func call(_ method: String, as group: String) -> String {
      member(of: group, "python3 call.py \(method)")
    }

    @Test(arguments: Guest.suites)
    func `A valid configuration is applied, an invalid one refused, and the session goes on`(
      suite: String
    ) throws {
      let guest = try PackagedGuest.shared(suite).guest
      let file = "/etc/touchgrid/touchgridd.toml"
      // The group that has the role `read` shows which configuration is in force.
      func give(_ role: String) -> String {
        "sed -i 's/^read = .*/read = \(role)/' \(file) && systemctl reload touchgridd"
      }
      let session = try guest.run(Self.call("BeginSession", as: "touchgrid-app"))
      defer { _ = try? guest.run(Self.call("EndSession", as: "touchgrid-app")) }
      let tag = Self.call(#"TagSession '{"tags": {"a": "b"}}'"#, as: "touchgrid-app")

      try guest.run(give(#""touchgrid-app""#))
      try guest.run(Self.call("GetStatus", as: "touchgrid-app"))
      #expect(try guest.run(tag) == session)

      #expect(try guest.attempt(give("3")).status != 0)
      #expect(try guest.run("systemctl is-active touchgridd") == "active\n")
      try guest.run(Self.call("GetStatus", as: "touchgrid-app"))
      #expect(try guest.run(tag) == session)

      try guest.run(give(#""touchgrid-read""#))
      #expect(try guest.attempt(Self.call("GetStatus", as: "touchgrid-app")).status == 1)
      #expect(try guest.run(tag) == session)
    }

    @Test(arguments: Guest.suites)
    func `The example app names its screens within its own sandbox`(suite: String) throws {
      let guest = try PackagedGuest.shared(suite).guest
      let examples = "/usr/share/doc/touchgrid/examples"
      let unit = "/run/systemd/system/kiosk-app.service"
      try guest.run(
        """
        install \(examples)/kiosk-app /usr/local/bin/
        cp \(examples)/kiosk-app.service \(unit)
        systemd-analyze verify \(unit) || exit 1
        systemctl daemon-reload && systemctl start kiosk-app
        python3 -c 'import time, urllib.request
        for _ in range(100):
          try: urllib.request.urlopen("http://127.0.0.1:8080/catalogue").read(); break
          except OSError: time.sleep(0.1)'
        """)
      let screen = try guest.run(Self.call("GetScreen", as: "touchgrid-read"))
      #expect(screen.hasPrefix(#"{"screen": "catalogue""#), "\(screen)")
      try guest.run("systemctl stop kiosk-app; rm \(unit) /usr/local/bin/kiosk-app")
    }
  }
}
