import Foundation
import Testing

extension PackagedGuestTests {
  /// The packaged service and its clients, as users with the rights of their groups.
  @Suite struct PackageSocket {
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
      let screen = try guest.run(
        "setpriv --reuid=nobody --regid=nogroup --groups=touchgrid-read python3 call.py GetScreen")
      #expect(screen.hasPrefix(#"{"screen": "catalogue""#), "\(screen)")
      try guest.run("systemctl stop kiosk-app; rm \(unit) /usr/local/bin/kiosk-app")
    }
  }
}
