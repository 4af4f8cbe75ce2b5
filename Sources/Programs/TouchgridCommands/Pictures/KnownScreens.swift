import Glibc
import LinuxIO
import Storage
import Text
import TouchModel
import TouchgridAPI

/// The screens in the data of a daemon or a store, with the displays that showed them.
enum KnownScreens {
  /// The longest reply of the process that reads the store, in bytes.
  private static let answerLimit = 16 << 20

  /// The reply of the process that reads the store.
  private struct Answer: Codable {
    var screens: [API.Screen] = []
    var failure: String?
  }

  /// Queries the daemon, or reads the store. Without a daemon and a store, no screen is known.
  /// - Throws: an error if the user named a daemon or a store, and it does not answer.
  static func read(_ source: StoredDataOptions) throws -> [GridKey] {
    let isNamed = source.store != nil || source.socket.isNamed
    do {
      return keys(try screens(source))
    } catch {
      if isNamed { throw error }
      return []
    }
  }

  /// Queries the daemon.
  static func read(_ daemon: DaemonConnection) throws -> [GridKey] {
    keys(try Past.daemon(daemon).screens(in: .always))
  }

  private static func keys(_ screens: [API.Screen]) -> [GridKey] {
    screens.compactMap { screen in
      screen.geometry.displayGeometry.map {
        GridKey(display: screen.display, screen: screen.screen, geometry: $0)
      }
    }
  }

  private static func screens(_ source: StoredDataOptions) throws -> [API.Screen] {
    if source.store == nil {
      if let daemon = try source.socket.connectIfThere() {
        return try Past.daemon(daemon).screens(in: .always)
      }
      if source.socket.isNamed { _ = try source.socket.connect() }
    }
    let path = source.store ?? StoredDataOptions.standardStore
    guard Privileges.isRoot else { return try screens(ofStore: path) }
    let stream = try Privileges.split { stream in
      var answer = Answer()
      do {
        try ProcessIdentity.becomeOwner(ofStore: path)
        answer.screens = try screens(ofStore: path)
      } catch {
        answer.failure = String(describing: error)
      }
      send(JSON.encodedObject(answer) ?? [], to: stream)
    }
    let answer = try JSON.decode(Answer.self, from: try receive(from: stream)[...])
    if let failure = answer.failure { throw Failure(failure) }
    return answer.screens
  }

  private static func screens(ofStore path: String) throws -> [API.Screen] {
    try Past.file(try Store(reading: path)).screens(in: .always)
  }

  private static func send(_ bytes: [UInt8], to stream: borrowing UnixStream) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch try? stream.send(rest) {
      case .moved(let count)?: rest = rest.dropFirst(count)
      case .wouldBlock?: _ = try? stream.wait(forOutput: true, within: -1)
      case .ended?, nil: return
      }
    }
  }

  private static func receive(from stream: borrowing UnixStream) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= answerLimit {
      switch try stream.receive(into: &buffer) {
      case .moved(let count): bytes += buffer[..<count]
      case .wouldBlock: _ = try stream.wait(within: -1)
      case .ended: return bytes
      }
    }
    throw Failure(
      "the list of the store's screens is larger than \(answerLimit >> 20) MiB (the limit)")
  }
}
