import Foundation
import TestSupport
import Testing

extension PackagedGuestTests {
  /// A machine whose root is an overlay on a tmpfs, as raspi-config and the package overlayroot make
  /// it.
  @Suite struct PackageOverlay {
    private static let configuration =
      "changes of \(Guest.configuration) are lost when this machine restarts: its folder is in memory "
      + "(an overlay on tmpfs)"
    private static let store =
      "the store /var/lib/touchgrid/touchgrid.db is lost when this machine restarts: its folder is in "
      + "memory (an overlay on tmpfs)"

    /// The overlays that overlayroot puts on folders which have a file system of their own.
    private static let begin = """
      systemctl stop touchgridd.service touchgridd.socket
      mkdir -p /media/root-rw && mount -t tmpfs tmpfs-root /media/root-rw || exit 1
      for folder in etc/touchgrid var/lib/touchgrid; do
        upper=/media/root-rw/overlay/$folder work=/media/root-rw/overlay-workdir/$folder
        mkdir -p /$folder $upper $work
        mount -t overlay -o lowerdir=/$folder,upperdir=$upper,workdir=$work overlayroot /$folder || exit 1
      done
      systemctl reset-failed
      systemctl start touchgridd
      """

    /// What a restart does to them.
    private static let end = """
      systemctl stop touchgridd.service touchgridd.socket
      for folder in /etc/touchgrid /var/lib/touchgrid /media/root-rw; do
        ! mountpoint -q $folder || umount $folder || exit 1
      done
      rmdir /media/root-rw
      """

    private func words(_ text: String) -> String {
      text.split(whereSeparator: { $0 == "\n" || $0 == " " }).joined(separator: " ")
    }

    @Test(arguments: Guest.suites)
    func `On an overlay root every verb says what a restart loses, until the store is on a disk`(
      suite: String
    ) throws {
      let packaged = try PackagedGuest.shared(suite)
      try packaged.startAfresh()
      let guest = packaged.guest
      let unit = "/run/systemd/system/var-lib-touchgrid.mount"
      defer {
        _ = try? guest.run(
          "\(Self.end); rm -f \(unit) /run/store.img; systemctl daemon-reload; \(Guest.setUp); "
            + "systemctl start touchgridd")
      }
      try guest.run(Self.begin)
      let setup = try guest.attempt("touchgrid setup --no-questions --no-masks")
      #expect(setup.status == 0, "\(setup)")
      #expect(setup.errors.contains(Self.configuration) && setup.errors.contains(Self.store))
      let mask = try guest.attempt("touchgrid mask add pin --save")
      #expect(mask.status == 0 && mask.errors.contains(Self.configuration), "\(mask)")
      // Also for users who cannot look into the daemon's folder.
      let status = try guest.run(
        "setpriv --reuid=nobody --regid=nogroup --groups=touchgrid-read touchgrid status")
      #expect(words(status).contains(Self.configuration) && words(status).contains(Self.store))
      #expect(
        try guest.run("touchgrid status --json").contains(
          #""storage":{"configuration":"volatile","store":"volatile"}"#))
      let doctor = words(try guest.attempt("touchgrid doctor").output)
      #expect(doctor.contains("warning \(Self.configuration)"), "\(doctor)")
      #expect(doctor.contains("warning \(Self.store)"), "\(doctor)")

      // The same from inside of a root that is an overlay as a whole.
      let root = try guest.attempt(
        """
        umount /etc/touchgrid && mkdir -p /media/root-rw/overlay/root /media/root-rw/overlay-workdir/root &&
        unshare --mount sh -ec '
          mount -t overlay -o lowerdir=/,upperdir=/media/root-rw/overlay/root,workdir=/media/root-rw/overlay-workdir/root overlayroot /mnt
          for folder in proc sys dev run media/root-rw; do mount --rbind /$folder /mnt/$folder; done
          chroot /mnt touchgrid doctor || true'
        """)
      #expect(words(root.output).contains("warning \(Self.configuration)"), "\(root)")
      #expect(words(root.output).contains("warning \(Self.store)"), "\(root)")

      // After the restart the mask is gone, and everything is masked again.
      try guest.run("\(Self.end); systemctl start touchgridd")
      #expect(try guest.attempt("test -e \(Guest.configuration)").status != 0)
      let after = try guest.run("touchgrid status; touchgrid status --json")
      #expect(after.contains("MASKING EVERYTHING") && !after.contains("storage  "), "\(after)")
      #expect(
        after.contains(#""storage":{"configuration":"persistent","store":"persistent"}"#))

      // The unit of docs/raspberry-pi.md: the service needs it, so it is mounted with the service.
      let image = guest.share.appending(path: "store.img").path
      let made = try Command(
        "/bin/sh", ["-c", "truncate -s 16M '\(image)' && mke2fs -q -t ext4 '\(image)'"])
      try #require(made.status == 0, "\(made.errors)")
      let disk = try guest.run(
        """
        \(Self.begin); systemctl stop touchgridd.service touchgridd.socket; umount /var/lib/touchgrid
        mv /host/store.img /run/
        printf '[Mount]\\nWhat=/run/store.img\\nWhere=/var/lib/touchgrid\\nType=ext4\\nOptions=loop\\n' >\(unit)
        systemctl reset-failed; systemctl daemon-reload && systemctl start touchgridd && touchgrid status --json &&
          stat -c '%U %a' /var/lib/touchgrid && findmnt -n -o FSTYPE /var/lib/touchgrid
        """)
      #expect(
        disk.contains(#""storage":{"configuration":"volatile","store":"persistent"}"#), "\(disk)")
      #expect(disk.hasSuffix("touchgrid 750\next4\n"), "\(disk)")
    }
  }
}
