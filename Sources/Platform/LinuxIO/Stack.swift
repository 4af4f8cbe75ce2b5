internal import CLinux

/// The data that earlier calls have left on the stack of the current thread.
public enum Stack {
  /// Overwrites 16 KiB of the stack below the caller, which is as far as its calls usually reach.
  /// Takes less than a microsecond.
  public static func wipe() { touchgrid_wipe_stack() }
}
