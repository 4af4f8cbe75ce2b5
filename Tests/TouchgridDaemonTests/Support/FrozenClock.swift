import Foundation
import Testing

/// A library for `LD_PRELOAD` that stops the clock on the wall, and no other: what a replay then stores depends
/// on what it plays alone.
enum FrozenClock {
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <time.h>

    int clock_gettime(clockid_t clock, struct timespec *now)
    {
      static int (*real)(clockid_t, struct timespec *);
      if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
      int result = real(clock, now);
      if (clock == CLOCK_REALTIME)
        *now = (struct timespec){.tv_sec = 1767614400};
      return result;
    }
    """

  /// - Returns: what a program's environment must hold.
  static func environment(in folder: URL) throws -> [String: String] {
    let (code, library) = (folder.appending(path: "clock.c"), folder.appending(path: "clock.so"))
    try source.write(to: code, atomically: true, encoding: .utf8)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/cc")
    compiler.arguments = ["-shared", "-fPIC", "-o", library.path, code.path]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    var environment = ProcessInfo.processInfo.environment
    environment["LD_PRELOAD"] = library.path
    environment["TZ"] = "UTC"
    return environment
  }
}
