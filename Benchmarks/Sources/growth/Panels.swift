import ArgumentParser
import Storage
import TouchInput
import TouchModel

/// Measures the cost of many devices with many slots: every slot of each device draws for a minute,
/// and the session ends.
struct Panels: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let devices draw for a minute with all their slots, and end the session.")

  @Option var devices = 1
  @Option var slots = 10
  @Argument var store: String

  func run() throws {
    let store = try Store(path: self.store)
    var recorder = SessionRecorder(rules: SessionRules(), firstSession: try store.nextSessionID)
    var mint = TouchIDGenerator()
    var panels: [Panel] = []
    var indices: [SessionRecorder.DeviceIndex] = []
    for number in 0..<devices {
      let panel = Panel(try DeviceDecoder(description))
      indices.append(
        recorder.addDevice(
          key: "panel \(number)", slots: panel.decoder.slotCount, isVirtual: false,
          placement: try placement(number), at: moment(0)))
      panels.append(panel)
    }
    let frames = (0..<7200).map { frame in (0..<slots).flatMap { events(frame, $0) } }
    var count = 0
    var drawing = (clock: 0.0, processor: 0.0)
    let memory = try Measured.memory {
      drawing = try Measured.milliseconds {
        for frame in frames.indices {
          let now = moment(frame)
          for device in 0..<devices {
            for var event in frames[frame] {
              event.time = now.monotonic
              _ = panels[device].decoder.process(event, mint: &mint)
            }
            count += frames[frame].count
            let report = InputEvent(
              time: now.monotonic, type: EventType.syn, code: SynCode.report, value: 0)
            guard panels[device].decoder.process(report, mint: &mint).isFrame else { continue }
            recorder.process(
              panels[device].decoder.updates, device: indices[device], at: now.monotonic, now: now)
          }
          recorder.advance(to: now)
          for record in recorder.takeRecords() { try store.write(record) }
        }
      }
    }
    let end = try Measured.milliseconds {
      recorder.stop(at: moment(frames.count))
      for record in recorder.takeRecords() { try store.write(record) }
    }
    print(
      #"{"ns_an_event":\#(drawing.clock * 1e6 / Double(count)),"memory_KiB":\#(memory),"#
        + #""end_ms":\#(end.clock)}"#)
  }

  /// A reference type, because an array cannot hold the decoder, which is not copyable.
  private final class Panel {
    var decoder: DeviceDecoder
    init(_ decoder: consuming DeviceDecoder) { self.decoder = decoder }
  }

  private var description: DeviceDescription {
    func axis(_ count: Int) -> AxisInfo {
      AxisInfo(minimum: 0, maximum: Int32(count - 1), resolution: 10)
    }
    return DeviceDescription(
      name: "panel", properties: [1], codes: [EventType.key: [KeyCode.buttonTouch]],
      axes: [
        AbsCode.mtSlot: axis(slots), AbsCode.mtTrackingID: axis(65_536),
        AbsCode.mtPositionX: axis(1920), AbsCode.mtPositionY: axis(1080),
      ])
  }

  private func placement(_ number: Int) throws -> Placement {
    guard
      let geometry = DisplayGeometry(
        pixelWidth: 1920, pixelHeight: 1080, scale: 1, rotation: .none, blockSize: 16)
    else { throw ExitCode.failure }
    return Placement(
      device: "panel \(number)", x: .init(minimum: 0, maximum: 1919),
      y: .init(minimum: 0, maximum: 1079), display: "glass \(number)", geometry: geometry,
      displaySource: .guess)
  }

  private func moment(_ frame: Int) -> Moment {
    let time = Int64(frame) * 1_000_000 / 120
    return Moment(
      monotonic: Timestamp(microseconds: 1_000_000 + time),
      boottime: Timestamp(microseconds: 1_000_000 + time),
      wall: WallTime(milliseconds: 1_790_000_000_000 + time / 1000))
  }

  /// Returns the events of one finger in one frame. The finger is down for nine tenths of each
  /// second.
  private func events(_ frame: Int, _ slot: Int) -> [InputEvent] {
    let phase = frame % 120
    guard phase <= 108 else { return [] }
    func event(_ code: UInt16, _ value: Int) -> InputEvent {
      InputEvent(time: .zero, type: EventType.abs, code: code, value: Int32(value))
    }
    if phase == 108 {
      return [event(AbsCode.mtSlot, slot), event(AbsCode.mtTrackingID, -1)]
    }
    let landing = phase == 0 ? [event(AbsCode.mtTrackingID, (frame + slot) % 65_536)] : []
    return [event(AbsCode.mtSlot, slot)] + landing + [
      event(AbsCode.mtPositionX, (frame * 7 + slot * 190) % 1920),
      event(AbsCode.mtPositionY, (frame * 5 + slot * 100) % 1080),
    ]
  }
}
