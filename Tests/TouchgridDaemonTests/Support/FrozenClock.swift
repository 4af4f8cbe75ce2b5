import Foundation

/// A library for `LD_PRELOAD` that stops the wall clock, but not the other clocks. The data that a
/// replay stores then depends only on the recording.
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

  /// Builds the library.
  /// - Returns: The environment for a program that is to use the library.
  static func environment(in folder: URL) throws -> [String: String] {
    try Interposed.environment(source, in: folder, ["TZ": "UTC"])
  }
}
