import Glibc

/// How many times longer things may take than usual: `scripts/sanitize` says so.
public let slowness: Int64 = {
  guard let text = unsafe getenv("TOUCHGRID_SLOWNESS") else { return 1 }
  return Int64(unsafe String(cString: text)) ?? 1
}()
