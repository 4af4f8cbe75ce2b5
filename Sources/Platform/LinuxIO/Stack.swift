internal import CLinux

/// The data that earlier calls have left on the stack of the current thread.
public enum Stack {
  /// Overwrites the 16 KiB of stack below the caller. The functions that the caller has called
  /// rarely use more. Takes less than a microsecond.
  public static func wipe() { touchgrid_wipe_stack() }
}
