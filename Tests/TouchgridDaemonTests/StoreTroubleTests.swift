import Foundation
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

/// Messages of the built daemon while its disk fails.
@Suite struct StoreTroubleTests {
  /// A library for `LD_PRELOAD`. While the file `stuck` exists in the folder `TOUCHGRID_DISK`, no
  /// write ends; while `full` exists, every write fails.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/types.h>
    #include <unistd.h>

    static int is(const char *name)
    {
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", getenv("TOUCHGRID_DISK"), name);
      return access(path, F_OK) == 0;
    }

    ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place)
    {
      while (is("stuck"))
        usleep(5000);
      if (is("full")) {
        errno = ENOSPC;
        return -1;
      }
      return ((__typeof__(pwrite64) *)dlsym(RTLD_NEXT, "pwrite64"))(file, bytes, count, place);
    }
    """

  @Test func `A failure of the store is logged once, and so is its end`() throws {
    let daemon = try RunningDaemon()
    try daemon.stop()
    daemon.environment = try Interposed.environment(
      Self.source, in: daemon.folder, ["TOUCHGRID_DISK": daemon.folder.path])
    try daemon.start()
    var client = try daemon.client()
    func store() throws -> API.Store { try client.call(API.GetStatus()).store }
    func lines(_ text: String) -> Int { daemon.log.components(separatedBy: text).count - 1 }
    try #require(try within(seconds: 10) { try store().busyForMs == nil })

    try daemon.folder.write("", to: "stuck")
    _ = try client.call(API.BeginSession())
    _ = try client.call(API.EndSession())
    try #require(try within(seconds: 10) { try store().busyForMs == 0 })
    try daemon.pass(seconds: 2)
    #expect(try store().busyForMs == 2000)
    #expect(try store().waitingBytes > 0)

    try daemon.folder.write("", to: "full")
    try FileManager.default.removeItem(atPath: daemon.folder.path("stuck"))
    // The write is tried again, and fails again.
    for _ in 0..<3 {
      try #require(try within(seconds: 10) { try store().busyForMs == nil })
      try daemon.folder.write("", to: "stuck")
      try daemon.pass(seconds: 60)
      try #require(try within(seconds: 10) { try store().busyForMs != nil })
      try FileManager.default.removeItem(atPath: daemon.folder.path("stuck"))
    }
    try #require(try within(seconds: 10) { try store().busyForMs == nil })
    let failing = try store()
    #expect(failing.error != nil && failing.waitingBytes > 0 && failing.givenUp == 0)
    #expect(lines("kept in memory and written when the store is available again") == 1)
    #expect(lines("can be written again") == 0)

    try FileManager.default.removeItem(atPath: daemon.folder.path("full"))
    try daemon.pass(seconds: 60)
    try #require(try within(seconds: 10) { try store().error == nil })
    let well = try store()
    #expect(well.busyForMs == nil && well.waitingBytes == 0)
    try daemon.waitForLog("can be written again")
    #expect(lines("can be written again") == 1)
    #expect(try client.call(API.ListSessions()).sessions.map(\.end) == [.client])
  }
}
