/// The outputs that show the daemon's displays.
struct OutputMatch: Equatable {
  /// The displays of each output, in the order of the outputs.
  var displays: [[String]]
  /// The displays without a matching output.
  var unplaced: [String]

  /// Matches displays with outputs by the user's choice or else by equal names of connectors. If
  /// there is only one output, it also shows displays that match none, unless it has its own.
  /// - Parameters:
  ///   - outputs: The connectors; nil for one that is not known.
  ///   - chosen: The outputs that the user has chosen, by display.
  init(displays names: [String], outputs: [String?], chosen: [String: String]) {
    displays = outputs.map { _ in [] }
    unplaced = []
    var rest: [String] = []
    for name in names.sorted() {
      let wanted = chosen[name] ?? name
      let places = outputs.indices.filter { outputs[$0].map { Self.equal($0, wanted) } ?? false }
      for place in places { displays[place].append(name) }
      if places.isEmpty { rest.append(name) }
    }
    for name in rest {
      if outputs.count == 1, chosen[name] == nil, displays[0].isEmpty || rest.count == names.count {
        displays[0].append(name)
      } else {
        unplaced.append(name)
      }
    }
  }

  /// Returns a sentence with the displays that each output shows; nil if none is shown.
  /// - Parameter outputs: The connectors, as in the initializer.
  func sentence(outputs: [String?]) -> String? {
    let places = zip(outputs, displays).flatMap { output, names in
      names.map { name in
        // X servers that have no real output name their output "screen".
        guard let output, output != "screen" || name == output else {
          return "\(name) on the monitor"
        }
        return Self.equal(name, output) ? name : "\(name) on \(output)"
      }
    }
    return places.isEmpty ? nil : "showing touches of \(places.joined(separator: ", "))"
  }

  /// Returns whether two names mean the same connector. The kernel and Wayland write HDMI-A-1 where
  /// X writes HDMI-1.
  private static func equal(_ left: String, _ right: String) -> Bool {
    kernel(left) == kernel(right)
  }

  private static func kernel(_ name: String) -> String {
    let prefix = "HDMI-A-"
    return name.hasPrefix(prefix) ? "HDMI-" + name.dropFirst(prefix.count) : name
  }
}
