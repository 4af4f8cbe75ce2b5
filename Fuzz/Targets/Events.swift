@testable import TouchInput
@testable import TouchModel
@testable import TouchgridDaemon

/// Fuzzes the decoder and the recorder with a device of any kind and its events, mixed with other
/// occurrences such as lost events and pauses.
func fuzzEvents(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let description = device(&source)
  guard let decoder = try? DeviceDecoder(description),
    let geometry = DisplayGeometry.guessed(from: decoder.contactProtocol)
  else { return }
  var stream = EventStream(decoder, geometry)
  while !source.isEmpty { stream.step(&source) }
  stream.finish()
}

private func device(_ source: inout ByteSource) -> DeviceDescription {
  let kind = source.byte()
  let slots = source.byte()
  func range(_ source: inout ByteSource) -> AxisInfo {
    let minimum: Int32
    let maximum: Int32
    if kind & 0x40 == 0 {
      (minimum, maximum) = (0, 64 + Int32(source.integer(UInt16.self) & 0xfff))
    } else {
      (minimum, maximum) = (source.integer(), source.integer())
    }
    return AxisInfo(
      minimum: minimum, maximum: maximum, resolution: kind & 0x20 == 0 ? 0 : source.integer())
  }
  var description = touchscreen(slots: Int32(slots) + 1)
  description.axes[AbsCode.mtPositionX] = range(&source)
  description.axes[AbsCode.mtPositionY] = range(&source)
  switch kind % 4 {
  case 0, 1: break
  case 2:
    description.axes[AbsCode.mtSlot] = nil
    if kind & 0x80 == 0 { description.axes[AbsCode.mtTrackingID] = nil }
  default:
    description.axes = [
      AbsCode.x: description.axes[AbsCode.mtPositionX] ?? AxisInfo(minimum: 0, maximum: 1),
      AbsCode.y: description.axes[AbsCode.mtPositionY] ?? AxisInfo(minimum: 0, maximum: 1),
    ]
  }
  return description
}

/// The life of one device, from its opening to its removal, through decoder and recorder.
private struct EventStream: ~Copyable {
  private static let codes: [(UInt16, UInt16)] = [
    (EventType.syn, SynCode.report), (EventType.abs, AbsCode.mtSlot),
    (EventType.abs, AbsCode.mtTrackingID), (EventType.abs, AbsCode.mtPositionX),
    (EventType.abs, AbsCode.mtPositionY), (EventType.syn, SynCode.mtReport),
    (EventType.key, KeyCode.buttonTouch), (EventType.abs, AbsCode.x), (EventType.abs, AbsCode.y),
    (EventType.abs, AbsCode.mtToolType), (EventType.abs, AbsCode.mtDistance),
    (EventType.syn, SynCode.dropped),
  ]

  private var decoder: DeviceDecoder
  private var recorder = SessionRecorder(
    rules: SessionRules(), firstSession: 1)
  private var feed: LiveFeed?
  private var mint = TouchIDGenerator()
  private var ledger = TouchLedger()
  private var now = beginning
  private let device: SessionRecorder.DeviceIndex
  private var needsSnapshot = false

  init(_ decoder: consuming DeviceDecoder, _ geometry: DisplayGeometry) {
    let (x, y) = (decoder.contactProtocol.x, decoder.contactProtocol.y)
    let placement = Placement(
      device: "panel", x: .init(minimum: x.minimum, maximum: x.maximum),
      y: .init(minimum: y.minimum, maximum: y.maximum), display: "glass", geometry: geometry,
      displaySource: .guess)
    device = recorder.addDevice(
      key: "panel", slots: decoder.slotCount, isVirtual: false, placement: placement, at: now)
    self.decoder = decoder
  }

  mutating func step(_ source: inout ByteSource) {
    let what = source.byte()
    guard what >= 0xf0 else {
      let (type, code) =
        what < 0xe0
        ? Self.codes[Int(what) % Self.codes.count] : (source.integer(), source.integer())
      // Small values are more likely to be meaningful than large ones.
      let value = what & 1 == 0 ? Int32(Int8(bitPattern: source.byte())) : source.integer()
      pass(Int64(source.byte()) * 500)
      return take(InputEvent(time: now.monotonic, type: type, code: code, value: value))
    }
    switch what {
    case 0xf0: pass(Int64(source.integer(UInt32.self)) * 100)
    case 0xf1: recorder.pause(at: now)
    case 0xf2: recorder.resume(at: now)
    case 0xf3: try? recorder.setScreen(source.choice(["menu", "pin", ""]), at: now)
    case 0xf4:
      let corner = Double(source.byte())
      let mask = Mask(
        screen: "pin", rectangle: Rectangle(x: corner, y: corner, width: 100, height: 100))
      if let masks = Masks([mask]) { recorder.setMasks(masks, at: now) }
    case 0xf5: recorder.setMasks(Masks(), at: now)
    case 0xf6: recorder.endSession(.client, at: now)
    case 0xf7: _ = try? recorder.beginSession(tags: [:], at: now)
    case 0xf8: feed = feed == nil ? LiveFeed(recorder, mint: TouchIDGenerator(), at: now) : nil
    case 0xf9: adopt(&source, on: source.choice([.opening, .drop, .silence]))
    case 0xfa: if decoder.cancelAll(.removed) { takeFrame() }
    default: break
    }
    advance()
  }

  private mutating func take(_ event: InputEvent) {
    let outcome = decoder.process(event, mint: &mint)
    if outcome.isFrame { takeFrame() }
    if outcome.isDrop { recorder.recordLoss(device, at: now) }
  }

  private mutating func takeFrame() {
    ledger.take(decoder.updates, slots: decoder.slotCount)
    must(decoder.touchesDown == ledger.count, "as many touches are down as have begun")
    recorder.process(decoder.updates, device: device, at: now.monotonic, now: now)
    feed?.process(
      decoder.updates, device: device, at: now.monotonic, now: now, recorder: recorder)
    advance()
  }

  private mutating func adopt(_ source: inout ByteSource, on occasion: TouchDecoder.Occasion) {
    let count = Int(source.byte())
    let slot = Int(Int8(bitPattern: source.byte()))
    var contacts: [Contact] = []
    for _ in 0..<count {
      contacts.append(
        Contact(
          trackingID: Int32(Int8(bitPattern: source.byte())), x: source.integer(),
          y: source.integer(), distance: Int32(source.byte() & 1),
          tool: Int32(source.byte() & 3)))
    }
    let snapshot = ContactSnapshot(currentSlot: slot, contacts: contacts)
    if decoder.adopt(snapshot, on: occasion, mint: &mint) { takeFrame() }
  }

  private mutating func pass(_ microseconds: Int64) { now = now.later(microseconds) }

  private mutating func advance() {
    recorder.advance(to: now)
    for record in recorder.takeRecords() { check(record) }
    _ = recorder.takeGhosts()
    feed?.advance(to: now, recorder: recorder)
    for frame in feed?.takeFrames() ?? [] {
      for touch in frame.touches {
        must(
          touch.point.x.isFinite && touch.point.y.isFinite && touch.block.column >= 0
            && touch.block.row >= 0, "a live touch is somewhere")
      }
    }
  }

  consuming func finish() {
    if decoder.cancelAll(.removed) { takeFrame() }
    must(ledger.count == 0, "nothing is down once all is cancelled")
    recorder.removeDevice(device, at: now)
    recorder.stop(at: now)
    for record in recorder.takeRecords() { check(record) }
    must(recorder.touchesDown == 0, "nothing is down once the device is gone")
  }
}
