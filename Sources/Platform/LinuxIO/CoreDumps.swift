internal import CLinux

/// Core dumps of this process.
public enum CoreDumps {
  /// Disables core dumps, and keeps other processes except root's from reading this process's
  /// memory. A core file limit is not enough: it has no effect if the kernel pipes dumps to a
  /// program (`core_pattern`, core(5)).
  public static func forbid() throws(SystemError) {
    guard touchgrid_forbid_dumps() == 0 else { throw SystemError(context: "forbidding core dumps") }
  }
}
