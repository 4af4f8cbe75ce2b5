internal import Glibc
public import LinuxIO
internal import TouchModel

/// Finds touchscreens, and keeps the list of those that are open.
///
/// udev's monitor is started before the list of devices is read, so that no device is missed. A
/// node that both report is recognised by its path below `/sys`, and opened once.
public final class Discovery {
  /// A change of the list of touchscreens, or an event that affects it.
  public enum Change {
    case added(Touchscreen)
    /// The caller must cancel the touches of the device and then release it.
    case removed(Touchscreen)
    case refused(RefusedDevice)
    /// A monitor may have been connected or disconnected.
    case displays
    /// Messages of udev were lost, so the list was read again. Changes of displays may have been
    /// among them.
    case overflow
  }

  /// The maximum number of touchscreens that are open at a time; further ones are refused.
  public static let limit = 64

  /// The open touchscreens, by path below `/sys`.
  public private(set) var touchscreens: [String: Touchscreen] = [:]
  public private(set) var refused: [String: RefusedDevice] = [:]

  private var udev: Udev
  private let seat: String
  private let ignores: (_ key: String, _ name: String) -> Bool
  private var nextNumber: UInt64 = 1
  /// Whether messages of udev were lost and the list has not been read since.
  private var isIncomplete = false

  /// The maximum number of messages that one call of `readMonitor` reads, so that touches are not
  /// delayed.
  private static let batch = 64

  /// Starts the monitor.
  /// - Parameters:
  ///   - seat: devices of other seats are refused.
  ///   - ignores: returns whether the configuration ignores a device, by its key and name.
  public init(
    seat: String = "seat0", ignores: @escaping (_ key: String, _ name: String) -> Bool
  ) throws(SystemError) {
    self.seat = seat
    self.ignores = ignores
    udev = try Udev()
  }

  public var monitorDescriptor: Int32 { udev.descriptor }

  /// Whether a node was refused for lack of permission. The caller should then watch the node's
  /// folder, and call `retryAfterPermissions`.
  public var waitsForPermission: Bool { refused.values.contains { $0.refusal.isPermission } }

  // MARK: Triggers

  /// Reads the list and compares it with the open devices. Used at the start, and after messages
  /// were lost.
  public func enumerate() throws(SystemError) -> [Change] {
    let nodes = try udev.nodes()
    let present = Set(nodes.map(\.sysPath))
    var changes: [Change] = []
    // Remove missing refused nodes first. Otherwise the removal of a touchscreen would retry them.
    for path in Array(refused.keys) + Array(touchscreens.keys) where !present.contains(path) {
      changes += remove(path)
    }
    for node in nodes { changes += consider(node) }
    return changes
  }

  /// Reads waiting messages. If there are more, the descriptor remains readable.
  ///
  /// After a loss, the kernel silently drops new messages until all waiting ones have been read
  /// (`NETLINK_S_CONGESTED`). Therefore `enumerate` reads the list of devices only after the last
  /// waiting message. Its changes replace the lost messages.
  public func readMonitor() throws(SystemError) -> [Change] {
    var changes: [Change] = []
    var concernsDisplays = false
    for _ in 0..<Self.batch {
      guard let message = try udev.next() else { break }
      switch message {
      case .overflow: isIncomplete = true
      case .graphics: concernsDisplays = true
      case _ where isIncomplete, .other: break
      case .appeared(let node): changes += consider(node)
      case .disappeared(let path): changes += remove(path)
      case .changed(let node): changes += retry(node)
      }
    }
    // Report this last, so that the new touchscreens, too, are assigned to the displays that are
    // connected now.
    if concernsDisplays { changes.append(.displays) }
    guard isIncomplete, !udev.hasMore else { return changes }
    changes.append(.overflow)
    changes += try enumerate()
    isIncomplete = false
    return changes
  }

  /// Retries the nodes that were refused for lack of permission. Call it when permissions in their
  /// folder have changed.
  public func retryAfterPermissions() -> [Change] {
    refused.values.filter(\.refusal.isPermission).flatMap { retry($0.properties) }
  }

  /// Removes the devices that the configuration now ignores, and tries those that it no longer
  /// ignores. Call after the rules behind `ignores` have changed.
  public func reconsider() -> [Change] {
    var changes: [Change] = []
    for touchscreen in touchscreens.values
    where ignores(touchscreen.key, touchscreen.description.name) {
      changes += closeAndRefuse(touchscreen, .ignoredByConfiguration)
    }
    for device in refused.values where device.refusal == .ignoredByConfiguration {
      // The device must be opened to learn its key, and whether it is still ignored.
      refused[device.properties.sysPath] = nil
      let outcome = consider(device.properties)
      if case .refused(let again)? = outcome.first, again.refusal == device.refusal { continue }
      changes += outcome
    }
    return changes
  }

  /// Removes a device that could not be read because it was unplugged or revoked, or fails. udev's
  /// message about it may come later, or never.
  public func lost(_ touchscreen: Touchscreen, _ error: SystemError) -> [Change] {
    let isPresent = unsafe access(touchscreen.properties.sysPath, F_OK) == 0
    return closeAndRefuse(touchscreen, Refusal(reading: error, isPresent: isPresent))
  }

  /// Removes a device that the caller cannot use. The device is refused until it is plugged in
  /// again.
  public func reject(_ touchscreen: Touchscreen, _ reason: String) -> [Change] {
    closeAndRefuse(touchscreen, .rejected(reason))
  }

  private func closeAndRefuse(_ touchscreen: Touchscreen, _ refusal: Refusal?) -> [Change] {
    let properties = touchscreen.properties
    guard touchscreens[properties.sysPath] === touchscreen else { return [] }
    touchscreens[properties.sysPath] = nil
    var changes: [Change] = [.removed(touchscreen)]
    if let refusal { changes += refuse(properties, touchscreen.description.name, refusal) }
    return changes + retryWaiting()
  }

  // MARK: One node

  func consider(_ node: NodeProperties) -> [Change] {
    guard touchscreens[node.sysPath] == nil, node.isInitialized, node.isTouchscreen else {
      return []
    }
    if node.isIgnored { return refuse(node, "", .ignoredByUdev) }
    guard node.seat == seat else { return refuse(node, "", .otherSeat(node.seat)) }
    if let refusal = refused[node.sysPath]?.refusal, stillApplies(refusal) { return [] }
    guard touchscreens.count < Self.limit else { return refuse(node, "", .tooMany) }
    do throws(SystemError) {
      let file = try FileDescriptor.eventNode(node.node)
      let description = try file.deviceDescription(path: node.node)
      // Node numbers are reused, so the node may now belong to another device.
      let number = try file.deviceNumber()
      guard number == node.deviceNumber, udev.sysPath(ofDeviceNumber: number) == node.sysPath
      else { return refuse(node, "", .replaced) }
      return accept(node, file, description)
    } catch {
      return refuse(node, "", Refusal(opening: node.node, error))
    }
  }

  private func accept(
    _ node: NodeProperties, _ file: consuming FileDescriptor, _ description: DeviceDescription
  ) -> [Change] {
    do throws(ContactProtocolError) {
      let decoder = try DeviceDecoder(description)
      return accept(node, file, description, decoder)
    } catch {
      return refuse(node, description.name, .unreadable(error))
    }
  }

  private func accept(
    _ node: NodeProperties, _ file: consuming FileDescriptor, _ description: DeviceDescription,
    _ decoder: consuming DeviceDecoder
  ) -> [Change] {
    let twin = twin(of: node, description.identifiers)
    let key = uniqueKey(DeviceKey.make(description.identifiers, node), besides: twin)
    guard !ignores(key, description.name) else {
      return refuse(node, description.name, .ignoredByConfiguration)
    }
    var changes: [Change] = []
    if let twin {
      guard decoder.contactProtocol.rank > twin.decoder.contactProtocol.rank else {
        return refuse(node, description.name, .twin(of: twin.properties.node))
      }
      touchscreens[twin.properties.sysPath] = nil
      changes.append(.removed(twin))
      changes += refuse(twin.properties, twin.description.name, .twin(of: node.node))
    }
    file.setEventMask(for: decoder.contactProtocol)
    let touchscreen = Touchscreen(
      number: nextNumber, key: key, properties: node, node: file, description: description,
      decoder: decoder)
    nextNumber += 1
    touchscreens[node.sysPath] = touchscreen
    refused[node.sysPath] = nil
    changes.append(.added(touchscreen))
    return changes
  }

  private func remove(_ path: String) -> [Change] {
    refused[path] = nil
    guard let touchscreen = touchscreens.removeValue(forKey: path) else { return [] }
    return [.removed(touchscreen)] + retryWaiting()
  }

  // MARK: Refusing and trying again

  /// - Returns: empty if this refusal is already known.
  private func refuse(_ node: NodeProperties, _ name: String, _ refusal: Refusal) -> [Change] {
    let name =
      name.isEmpty ? (node.properties["NAME"] ?? "").filter { $0 != "\"" } : name
    let device = RefusedDevice(properties: node, name: name, refusal: refusal)
    let known = refused.updateValue(device, forKey: node.sysPath)
    return known?.refusal == refusal ? [] : [.refused(device)]
  }

  /// Whether a refusal still applies, because its cause still exists.
  private func stillApplies(_ refusal: Refusal) -> Bool {
    switch refusal {
    case .unreadable, .ignoredByConfiguration, .rejected: true
    case .twin(let node): touchscreens.values.contains { $0.properties.node == node }
    default: false
    }
  }

  /// Tries a refused node again if the cause may no longer exist.
  private func retry(_ node: NodeProperties) -> [Change] {
    switch refused[node.sysPath]?.refusal {
    case .noPermission, .forbidden, .failed, .replaced, .revoked: consider(node)
    default: []
    }
  }

  /// Tries the refused nodes that may take the place of a removed touchscreen.
  private func retryWaiting() -> [Change] {
    refused.values.filter { device in
      switch device.refusal {
      case .twin: !stillApplies(device.refusal)
      case .tooMany: true
      default: false
      }
    }
    .flatMap { consider($0.properties) }
  }

  // MARK: Panels with several nodes

  private func twin(of node: NodeProperties, _ identifiers: DeviceIdentifiers) -> Touchscreen? {
    guard let path = node.panelPath else { return nil }
    return touchscreens.values.first {
      $0.properties.panelPath == path && $0.description.identifiers.vendor == identifiers.vendor
        && $0.description.identifiers.product == identifiers.product
    }
  }

  private func uniqueKey(_ key: String, besides twin: Touchscreen?) -> String {
    let taken = Set(touchscreens.values.filter { $0 !== twin }.map(\.key))
    guard taken.contains(key) else { return key }
    var number = 2
    while taken.contains("\(key)#\(number)") { number += 1 }
    return "\(key)#\(number)"
  }
}

extension ContactProtocol {
  /// The rank of the protocol. If a panel has several nodes, the one with the highest rank is read:
  /// it describes contacts in the most detail.
  fileprivate var rank: Int {
    switch kind {
    case .slots(let count): 2 + count
    case .anonymous: 2
    case .single: 1
    }
  }
}
