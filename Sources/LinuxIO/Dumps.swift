internal import CLinux

/// What becomes of the process's memory when it crashes.
public enum Dumps {
  /// No core dump is made from now on, and of other processes only root's look into the memory. A limit of core
  /// files says nothing to a kernel that hands dumps to a program (`core_pattern`, core(5)); this does.
  public static func forbid() throws(SystemError) {
    guard touchgrid_forbid_dumps() == 0 else { throw SystemError(context: "forbidding core dumps") }
  }
}
