import Text

/// Formats a duration for users: `3 s`, `12 min`, `5 h 12 min`, `3 days 4 h`.
func longDuration(_ milliseconds: Int64) -> String {
  let seconds = max(0, milliseconds) / 1000
  let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
  switch seconds {
  case 0: return "less than 1 s"
  case ..<60: return "\(seconds) s"
  case ..<3600: return "\(minutes) min"
  case ..<86_400: return "\(hours) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "")
  default: return counted(days, "day") + (hours % 24 > 0 ? " \(hours % 24) h" : "")
  }
}

/// Formats a size in bytes for users: `512 B`, `1.5 MiB`.
func bytesText(_ bytes: Int64) -> String {
  guard bytes >= 1024 else { return "\(bytes) B" }
  var (value, unit) = (Double(bytes) / 1024, 0)
  let units = ["KiB", "MiB", "GiB", "TiB"]
  while value >= 1024, unit + 1 < units.count {
    value /= 1024
    unit += 1
  }
  let tenths = Int64((value * 10).rounded())
  return value < 10 && tenths % 10 != 0
    ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int64(value.rounded())) \(units[unit])"
}
