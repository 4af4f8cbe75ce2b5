extension Configuration {
  /// Returns the changed keys that a running daemon cannot apply.
  func fixed(against new: Configuration) -> [String] {
    var keys: [String] = []
    if new.store.path != store.path { keys.append("path in [store]") }
    if new.socket.path != socket.path { keys.append("path in [socket]") }
    if new.devices.seat != devices.seat { keys.append("seat in [devices]") }
    return keys
  }
}
