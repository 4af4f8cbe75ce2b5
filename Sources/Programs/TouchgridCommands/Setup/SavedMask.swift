import ConfigurationFiles
import Text
import TouchgridAPI

/// A mask that `touchgrid mask --save` adds to the configuration, or removes from it.
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

  /// Sets the mask in the daemon first, so that it holds before other processes are awaited and
  /// even if the file cannot be changed.
  func add() throws {
    let daemon = try options.daemon(socket)
    let isCopied = addAtOnce(daemon)
    do {
      guard try write(), let daemon else { return }
      // The configuration's mask is in force, so the client's copy is no longer needed.
      if isCopied { _ = try? daemon.call(API.RemoveMask(mask: mask)) }
      if let masks = try? daemon.call(API.GetMasks()), let note = Mask.widening(of: mask, masks) {
        writeError(note)
      }
    } catch {
      if isCopied { writeError("the daemon masks it until it stops: \(mask.words)") }
      throw error
    }
  }

  /// - Returns: whether this call added the mask to the daemon's client masks.
  private func addAtOnce(_ daemon: DaemonConnection?) -> Bool {
    guard let daemon else { return false }
    // If the daemon does not answer, the mask may belong to another client, and stays.
    let isThere = (try? daemon.call(API.GetMasks()))?.added.contains(mask) ?? true
    do throws(Failure) {
      _ = try daemon.call(API.AddMask(mask: mask))
      return !isThere
    } catch {
      writeError("the daemon does not mask it at once: \(error)")
      return false
    }
  }

  /// - Returns: whether the service has loaded the mask.
  private func write() throws -> Bool {
    try change.locked { file in
      let tables = try change.edit { try file.editor.elements("mask") }
      if tables.contains(where: { API.Mask(table: $0) == mask }) {
        try writeLines(["\(name) has the mask already: \(mask.words)"])
      } else {
        let text = try change.edit { try file.editor.adding(mask.tableLines, to: "mask") }
        let (new, checked) = try file.checked(text)
        guard checked.masks.contains(mask) else { throw unexpected }
        try change.write(new)
        try writeLines(["added to \(name): the mask \(mask.words)"])
      }
      return try change.reload(socket, until: isConfigured)
    }
  }

  func remove() throws {
    try change.locked { file in
      let masks = try change.edit { try file.editor.elements("mask") }
        .map { API.Mask(table: $0) }
      guard let index = masks.firstIndex(of: mask) else {
        throw Failure(
          "\(name) has no mask \(mask.words), and nothing was changed; it has: "
            + masks.compactMap { $0?.words }.inOneLine)
      }
      let text = try change.edit { try file.editor.removing(index, of: "mask") }
      let (new, checked) = try file.checked(text)
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
