internal import Decoding
internal import Glibc
public import LinuxIO
internal import TouchModel

/// Finds touchscreens and keeps the list of those that are read.
///
/// The monitor is started first and the list read second, so that nothing is missed; a node that comes by
/// both ways is known by its path below `/sys` and opened once.
public final class Discovery {
  /// What changed.
  public enum Change {
    case added(Touchscreen)
    /// Cancel its touches, then let it go.
    case removed(Touchscreen)
    case refused(RefusedDevice)
    /// Messages of udev were lost; the list was read again.
    case overflow
  }

  /// The most touchscreens that are read at a time; others are refused.
  public static let limit = 64

  /// By path below `/sys`.
  public private(set) var touchscreens: [String: Touchscreen] = [:]
  public private(set) var refused: [String: RefusedDevice] = [:]

  private let udev: Udev
  private let seat: String
  private let ignores: (_ key: String, _ name: String) -> Bool
  private var nextNumber: UInt64 = 1

  /// Starts listening for devices.
  /// - Parameters:
  ///   - seat: devices of other seats are refused.
  ///   - ignores: whether the configuration wants a device, by key and name, to be left alone.
  public init(
    seat: String = "seat0", ignores: @escaping (_ key: String, _ name: String) -> Bool
  ) throws(SystemError) {
    self.seat = seat
    self.ignores = ignores
    udev = try Udev()
  }

  public var monitorDescriptor: Int32 { udev.descriptor }

  /// Whether a node waits for permissions: then its folder is worth watching.
  public var waitsForPermission: Bool {
    refused.values.contains { if case .noPermission = $0.refusal { true } else { false } }
  }

  // MARK: Occasions

  /// Reads the list and compares: at the start, and when messages were lost.
  public func enumerate() throws(SystemError) -> [Change] {
    let nodes = try udev.nodes()
    let present = Set(nodes.map(\.sysPath))
    var changes: [Change] = []
    for path in Array(touchscreens.keys) + Array(refused.keys) where !present.contains(path) {
      changes += remove(path)
    }
    for node in nodes { changes += consider(node) }
    return changes
  }

  /// Takes the messages that are waiting.
  public func readMonitor() throws(SystemError) -> [Change] {
    var changes: [Change] = []
    while let message = udev.next() {
      switch message {
      case .appeared(let node): changes += consider(node)
      case .disappeared(let path): changes += remove(path)
      case .changed(let node): changes += retry(node)
      case .overflow:
        changes.append(.overflow)
        changes += try enumerate()
      }
    }
    return changes
  }

  /// Permissions changed somewhere in the nodes' folder.
  public func retryAfterPermissions() -> [Change] {
    refused.values.filter { if case .noPermission = $0.refusal { true } else { false } }
      .flatMap { retry($0.properties) }
  }

  /// A device could not be read any longer: it is gone, or was revoked. udev's message comes later, or
  /// never.
  public func lost(_ touchscreen: Touchscreen) -> [Change] {
    let properties = touchscreen.properties
    guard touchscreens[properties.sysPath] === touchscreen else { return [] }
    touchscreens[properties.sysPath] = nil
    var changes: [Change] = [.removed(touchscreen)]
    if unsafe access(properties.sysPath, F_OK) == 0 {
      changes.append(refuse(properties, touchscreen.description.name, .revoked))
    }
    return changes + retryTwins(of: touchscreen)
  }

  // MARK: One node

  private func consider(_ node: NodeProperties) -> [Change] {
    guard touchscreens[node.sysPath] == nil, node.isInitialized, node.isTouchscreen else {
      return []
    }
    if node.isIgnored { return [refuse(node, "", .ignoredByUdev)] }
    guard node.seat == seat else { return [refuse(node, "", .otherSeat(node.seat))] }
    guard touchscreens.count < Self.limit else {
      return [refuse(node, "", .cannotOpen("\(Self.limit) touchscreens are read already"))]
    }
    do throws(SystemError) {
      let event = try EventNode(path: node.node)
      // Numbers are given out again: what was opened may be another device by now.
      let number = try event.deviceNumber()
      guard number == node.deviceNumber, udev.sysPath(ofDeviceNumber: number) == node.sysPath
      else { return [refuse(node, "", .replaced)] }
      return accept(node, event)
    } catch {
      switch error.code {
      case EACCES, EPERM: return [refuse(node, "", .noPermission(node: node.node))]
      case ENOENT, ENODEV, ENXIO: return [refuse(node, "", .replaced)]
      default: return [refuse(node, "", .cannotOpen("\(error)"))]
      }
    }
  }

  private func accept(_ node: NodeProperties, _ event: consuming EventNode) -> [Change] {
    let description = event.description
    do throws(ContactProtocolError) {
      let decoder = try DeviceDecoder(description)
      return accept(node, event, decoder)
    } catch {
      return [refuse(node, description.name, .unreadable(error))]
    }
  }

  private func accept(
    _ node: NodeProperties, _ event: consuming EventNode, _ decoder: consuming DeviceDecoder
  ) -> [Change] {
    let description = event.description
    let key = uniqueKey(DeviceKey.make(description.identifiers, node))
    guard !ignores(key, description.name) else {
      return [refuse(node, description.name, .ignoredByConfiguration)]
    }
    var changes: [Change] = []
    if let twin = twin(of: node, description.identifiers) {
      guard decoder.rank > twin.decoder.rank else {
        return [refuse(node, description.name, .twin(of: twin.properties.node))]
      }
      touchscreens[twin.properties.sysPath] = nil
      changes.append(.removed(twin))
      changes.append(
        refuse(twin.properties, twin.description.name, .twin(of: node.node)))
    }
    event.setMask(for: decoder.contactProtocol.kind)
    let touchscreen = Touchscreen(
      number: nextNumber, key: key, properties: node, node: event, decoder: decoder)
    nextNumber += 1
    touchscreens[node.sysPath] = touchscreen
    refused[node.sysPath] = nil
    changes.append(.added(touchscreen))
    return changes
  }

  private func remove(_ path: String) -> [Change] {
    refused[path] = nil
    guard let touchscreen = touchscreens.removeValue(forKey: path) else { return [] }
    return [.removed(touchscreen)] + retryTwins(of: touchscreen)
  }

  /// Tries a refused node again, if what stood in the way may have changed.
  private func retry(_ node: NodeProperties) -> [Change] {
    switch refused[node.sysPath]?.refusal {
    case .noPermission, .cannotOpen, .replaced, .revoked: consider(node)
    default: []
    }
  }

  private func refuse(_ node: NodeProperties, _ name: String, _ refusal: Refusal) -> Change {
    let name =
      name.isEmpty ? (node.properties["NAME"] ?? "").filter { $0 != "\"" } : name
    let device = RefusedDevice(properties: node, name: name, refusal: refusal)
    refused[node.sysPath] = device
    return .refused(device)
  }

  // MARK: Panels with several nodes

  private func twin(of node: NodeProperties, _ identifiers: DeviceIdentifiers) -> Touchscreen? {
    guard let path = node.physicalPath else { return nil }
    return touchscreens.values.first {
      $0.properties.physicalPath == path && $0.description.identifiers.vendor == identifiers.vendor
        && $0.description.identifiers.product == identifiers.product
    }
  }

  private func retryTwins(of touchscreen: Touchscreen) -> [Change] {
    refused.values.filter {
      if case .twin(let node) = $0.refusal { node == touchscreen.properties.node } else { false }
    }
    .flatMap { consider($0.properties) }
  }

  private func uniqueKey(_ key: String) -> String {
    let taken = Set(touchscreens.values.map(\.key))
    guard taken.contains(key) else { return key }
    var number = 2
    while taken.contains("\(key)#\(number)") { number += 1 }
    return "\(key)#\(number)"
  }
}

extension DeviceDecoder {
  /// Of two nodes of one panel the one that says more of its contacts is read.
  fileprivate var rank: Int {
    switch contactProtocol.kind {
    case .slots(let count): 2 + count
    case .anonymous: 2
    case .single: 1
    }
  }
}
