import Storage
import TouchgridAPI

extension Error {
  /// Whether a query failed because it covers part of a day whose sessions have been deleted. The
  /// sums of that day remain, but cannot be split.
  var isOnlyWholeDays: Bool { isStore(.onlyWholeDays) }

  /// Whether a query for tags or hours failed because sessions of the span have been deleted, or
  /// were recorded in another time zone.
  var isFilterUnanswerable: Bool { isStore(.tagsGone) || isStore(.hoursUnknown) }

  /// Whether the requested session is missing in the daemon's store.
  var isNoSuchSession: Bool { (self as? Failure)?.fault is API.NoSuchSession }

  private func isStore(_ code: StoreError.Code) -> Bool {
    switch self {
    case let error as StoreError: error.code == code
    case let error as Failure: (error.fault as? API.StoreFailed)?.code == code.rawValue
    default: false
    }
  }
}
