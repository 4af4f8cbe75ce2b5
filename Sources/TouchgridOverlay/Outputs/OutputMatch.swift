/// Which outputs show which displays of the daemon.
struct OutputMatch: Equatable {
  /// Of each output, in the order given.
  var displays: [[String]]
  /// Displays that no output could be found for.
  var unplaced: [String]

  /// The choice of the person comes first, then equal names of connectors, then the only output there is.
  /// - Parameters:
  ///   - outputs: their connectors; nil where it is not known.
  ///   - chosen: output by display.
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

  /// What is shown where, in words; nil where nothing is.
  /// - Parameter outputs: their connectors, as above.
  func sentence(outputs: [String?]) -> String? {
    let places = zip(outputs, displays).flatMap { output, names in
      names.map { name in
        // X servers without a real output call theirs "screen".
        guard let output, output != "screen" || name == output else {
          return "\(name) on the screen"
        }
        return Self.equal(name, output) ? name : "\(name) on \(output)"
      }
    }
    return places.isEmpty ? nil : "showing touches of \(places.joined(separator: ", "))"
  }

  /// The kernel and Wayland call a connector HDMI-A-1 where X calls it HDMI-1.
  private static func equal(_ left: String, _ right: String) -> Bool {
    kernel(left) == kernel(right)
  }

  private static func kernel(_ name: String) -> String {
    let prefix = "HDMI-A-"
    return name.hasPrefix(prefix) ? "HDMI-" + name.dropFirst(prefix.count) : name
  }
}
