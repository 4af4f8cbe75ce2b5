import Glibc

/// The factor by which tests multiply their time limits: `TOUCHGRID_SLOWNESS`, which
/// `scripts/sanitize` sets, or 1.
public let slowness: Int64 = {
  guard let text = unsafe getenv("TOUCHGRID_SLOWNESS") else { return 1 }
  return Int64(unsafe String(cString: text)) ?? 1
}()
