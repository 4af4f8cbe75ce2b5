import Storage
import TouchgridAPI

extension Error {
  /// Whether a query failed because it covers a part of a day whose sessions have been deleted. The
  /// sums of that day remain, but cannot be split.
  var isOnlyWholeDays: Bool {
    switch self {
    case let error as StoreError: error.code == .onlyWholeDays
    case let error as Failure:
      (error.fault as? API.StoreFailed)?.code == API.StoreFailed.onlyWholeDays
    default: false
    }
  }
}
