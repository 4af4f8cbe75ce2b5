internal import CLinux

/// Core dumps of this process.
public enum CoreDumps {
  /// Disables core dumps, and keeps other processes, except those of root, from reading this
  /// process's memory. A limit on the size of core files (`RLIMIT_CORE`) is not enough, because it
  /// has no effect if the kernel pipes dumps to a program (`core_pattern`, core(5)).
  public static func forbid() throws(SystemError) {
    guard touchgrid_forbid_dumps() == 0 else { throw SystemError(context: "forbidding core dumps") }
  }
}
