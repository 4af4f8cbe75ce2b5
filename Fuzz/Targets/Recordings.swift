@testable import Recordings
@testable import TouchInput
@testable import TouchModel
@testable import TouchgridDaemon

/// Fuzzes evemu and libinput recordings. Reads and decodes the input, writes it and reads it again,
/// and plays it as `touchgridd --replay` does.
func fuzzRecording(_ bytes: [UInt8]) {
  let recordings: [Recording]
  do throws(RecordingError) {
    recordings = try Recording.parseAll(bytes, path: "input") { () throws(RecordingError) in
      throw RecordingError(path: "input", problem: .missing("its description"))
    }
  } catch {
    must(!error.description.isEmpty, "an error has words")
    return
  }
  for recording in recordings {
    decode(recording)
    checkWriting(of: recording)
  }
  play(recordings)
}

private func decode(_ recording: Recording) {
  guard var decoder = try? DeviceDecoder(recording.description) else { return }
  var mint = TouchIDGenerator()
  var ledger = TouchLedger()
  for event in recording.events where decoder.process(event, mint: &mint).isFrame {
    ledger.take(decoder.updates, slots: decoder.slotCount)
  }
  if decoder.cancelAll(.removed) { ledger.take(decoder.updates, slots: decoder.slotCount) }
  must(ledger.count == 0, "all touches are over once all are cancelled")
}

/// Checks that a written recording can be read, and does not change when it is written and read
/// again.
private func checkWriting(of recording: Recording) {
  func again(_ recording: Recording) -> Recording? {
    try? Recording.parseAll(Array(recording.evemuText.utf8), path: "written") {
      () throws(RecordingError) in
      throw RecordingError(path: "written", problem: .missing("its description"))
    }.first
  }
  let once = again(recording)
  must(once != nil, "what is written as evemu cannot be read")
  must(once.flatMap(again) == once, "what is written as evemu changes when it is written again")
}

private func play(_ recordings: [Recording]) {
  let sink = CheckedRecords()
  let capture = Capture(
    rules: Configuration().sessionRules,
    assignment: DisplayAssignment(configuration: Configuration()), connectors: { [] },
    firstSession: 1, mint: TouchIDGenerator(), storage: sink, log: quiet)
  var panels: [ReplayPanel] = []
  for (number, recording) in recordings.enumerated() {
    guard let panel = try? ReplayPanel(recording, number: number, path: "input") else { return }
    panels.append(panel)
  }
  var now = beginning
  for panel in panels {
    guard (try? panel.attach(to: capture, at: now)) != nil else { return }
  }
  for step in ReplayTimeline(recordings).steps {
    let end = beginning.later(step.offset)
    // Handle the deadlines until then. If the pause lasts for years, the first hundred are enough.
    for _ in 0..<100 {
      guard let due = capture.nextDeadline, due <= end.boottime, due > now.boottime else { break }
      now = now.at(boottime: due)
      capture.advance(to: now)
    }
    now = end
    switch step.what {
    case .screen(let name): try? capture.recorder.setScreen(name, at: now)
    case .response(let cue, let screen):
      capture.recorder.add(cue.response(on: screen, at: now), at: now)
    case .event(let event, let device): panels[device].process(event, at: now)
    }
    capture.advance(to: now)
  }
  for panel in panels { panel.finish(at: now) }
  capture.stop(at: now)
  must(capture.recorder.touchesDown == 0, "nothing is down once everything has stopped")
}

/// The clocks at the start of every input.
let beginning = Moment(
  monotonic: Timestamp(microseconds: 1_000_000_000),
  boottime: Timestamp(microseconds: 2_000_000_000),
  wall: WallTime(milliseconds: 1_714_521_600_000))

let quiet = Log(level: .error)

/// A sink that checks each record instead of storing it.
final class CheckedRecords: RecordSink {

  func store(_ record: SessionRecord) { check(record) }
  func store(_ ghosts: [GhostTally], at time: WallTime) {}
}
