import ConfigurationFiles
import Text
import TouchgridAPI

/// A mask that `touchgrid mask --save` writes into the configuration, or removes there.
struct SavedMask {
  let mask: API.Mask
  let options: SaveOptions
  let socket: SocketOption

  init(_ mask: API.Mask, _ options: SaveOptions, _ socket: SocketOption) {
    self.mask = mask.normalised
    self.options = options
    self.socket = socket
  }

  private var change: SavedChange { SavedChange(path: options.path) }
  private var name: String { options.path.printable(limit: 4096) }

  func add() throws {
    try change.locked { editor in
      let tables = try change.edit { try editor.elements("mask") }
      let isThere = tables.contains { API.Mask(table: $0) == mask }
      if isThere {
        try writeLines(["\(name) has the mask already: \(mask.words)"])
        _ = try change.reload(socket, until: isConfigured)
        return
      }
      let text = try change.edit {
        try editor.adding(mask.tableLines, to: "mask")
      }
      let (new, checked) = try change.checked(text)
      guard checked.masks.contains(mask) else { throw unexpected }
      // In doubt, mask: the daemon masks from now on, whatever becomes of the file.
      let daemon = try options.daemon(socket)
      try addAtOnce(daemon)
      try change.write(new)
      try writeLines(["added to \(name): the mask \(mask.words)"])
      guard try change.reload(socket, until: isConfigured), let daemon else { return }
      // The configuration's mask is in force, so the client's copy is not needed.
      _ = try? daemon.call(API.RemoveMask(mask: mask))
    }
  }

  private func addAtOnce(_ daemon: DaemonConnection?) throws {
    guard let daemon else { return }
    do throws(Failure) {
      _ = try daemon.call(API.AddMask(mask: mask))
    } catch {
      writeError("the daemon does not mask it at once: \(error)")
    }
  }

  func remove() throws {
    try change.locked { editor in
      let masks = try change.edit { try editor.elements("mask") }
        .map { API.Mask(table: $0) }
      guard let index = masks.firstIndex(of: mask) else {
        throw Failure(
          "\(name) has no mask \(mask.words), and nothing was changed; it has: "
            + masks.compactMap { $0?.words }.inOneLine)
      }
      let text = try change.edit { try editor.removing(index, of: "mask") }
      let (new, checked) = try change.checked(text)
      guard !checked.masks.contains(mask) else { throw unexpected }
      try change.write(new)
      try writeLines(["removed from \(name): the mask \(mask.words)"])
      guard try change.reload(socket, until: { try !isConfigured($0) }) else { return }
      let left = try socket.connect().call(API.GetMasks()).added
      if left.contains(mask) { writeError("a client has added the same mask, which stays") }
    }
  }

  private func isConfigured(_ daemon: DaemonConnection) throws -> Bool {
    try daemon.call(API.GetMasks()).configured.contains(mask)
  }

  private var unexpected: Failure {
    Failure(
      "nothing was changed in \(name): 'touchgridd --check' reads another mask than was meant")
  }
}
