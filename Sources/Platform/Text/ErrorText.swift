internal import CLinux

/// Returns the English text for an error number (`errno.h`).
public func errorText(_ code: Int32) -> String {
  unsafe String(cString: touchgrid_error_text(code))
}
