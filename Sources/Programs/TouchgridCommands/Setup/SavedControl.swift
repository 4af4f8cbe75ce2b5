import ConfigurationFiles
import Text
import TouchModel
import TouchgridAPI

/// A control that `touchgrid control --save` adds to the configuration, or removes from it.
struct SavedControl {
  let options: SaveOptions
  let socket: SocketOption

  private var change: SavedChange { SavedChange(path: options.path) }
  private var name: String { options.path.printable(limit: 4096) }

  func add(_ new: PlacedControl) throws {
    try change.locked { file in
      let controls = try change.edit { try file.editor.elements("control") }
        .map { PlacedControl(table: $0) }
      let known = controls.firstIndex {
        $0?.hasPlace(screen: new.screen, display: new.display, name: new.control.name) ?? false
      }
      if let known, controls[known] == new {
        try writeLines(["\(name) has the control already: \(new.words)"])
      } else {
        let text = try change.edit {
          guard let known else { return try file.editor.adding(new.tableLines, to: "control") }
          return try file.editor.replacing(known, of: "control", by: new.tableLines)
        }
        try change.write(try file.checked(text).0)
        try writeLines([
          known == nil
            ? "added to \(name): the control \(new.words)"
            : "replaced in \(name): the control \(new.words), now at \(new.control.rectangle.words)"
        ])
      }
      let isLoaded = try change.reload(socket) { daemon in
        try configured(daemon, new.screen, new.display).contains(new.control)
      }
      if isLoaded { try removeCopy(of: new) }
    }
  }

  func remove(screen: String, display: String?, control: String) throws {
    try change.locked { file in
      let controls = try change.edit { try file.editor.elements("control") }
        .map { PlacedControl(table: $0) }
      let known = controls.firstIndex {
        $0?.hasPlace(screen: screen, display: display, name: control) ?? false
      }
      guard let known, let old = controls[known] else {
        throw Failure(
          "\(name) has no such control, and nothing was changed; it has: "
            + controls.compactMap { $0?.words }.inOneLine)
      }
      let text = try change.edit { try file.editor.removing(known, of: "control") }
      try change.write(try file.checked(text).0)
      try writeLines(["removed from \(name): the control \(old.words)"])
      _ = try change.reload(socket) { daemon in
        try !configured(daemon, old.screen, old.display).contains { $0.name == old.control.name }
      }
    }
  }

  private func configured(
    _ daemon: DaemonConnection, _ screen: String, _ display: String?
  ) throws -> [API.Control] {
    let lists = try daemon.call(API.GetControls()).configured
    return lists.first { $0.screen == screen && $0.display == display }?.controls ?? []
  }

  /// Removes the copy that a client has set: if a control of the configuration has the name of a
  /// client's control, the daemon ignores all clients' controls of that screen.
  private func removeCopy(of new: PlacedControl) throws {
    let daemon = try socket.connect()
    let lists = try daemon.call(API.GetControls()).added
    guard
      let list = lists.first(where: { $0.screen == new.screen && $0.display == new.display })
    else { return }
    let rest = list.controls.filter { $0.name != new.control.name }
    guard rest.count < list.controls.count else { return }
    _ = try daemon.call(
      API.SetControls(screen: list.screen, display: list.display, controls: rest))
  }
}
