internal import CLinux

/// The data that earlier calls left on the stack of the current thread.
public enum Stack {
  /// Overwrites the stack as deep as calls from here usually reach (16 KiB). Takes less than a
  /// microsecond.
  public static func wipe() { touchgrid_wipe_stack() }
}
