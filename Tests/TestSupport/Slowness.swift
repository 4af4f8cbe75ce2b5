import Glibc

/// The factor by which things may take longer than usual. `scripts/sanitize` sets it.
public let slowness: Int64 = {
  guard let text = unsafe getenv("TOUCHGRID_SLOWNESS") else { return 1 }
  return Int64(unsafe String(cString: text)) ?? 1
}()
