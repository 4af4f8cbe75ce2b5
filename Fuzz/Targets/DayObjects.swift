@testable import Storage
@testable import TouchModel
@testable import TouchgridCommands

/// Fuzzes the object of a kiosk's day, and the state of an export. The first byte chooses: the text
/// of an object, a whole object, or a state.
func fuzzDayObjects(_ bytes: [UInt8]) {
  guard let kind = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  switch kind % 3 {
  case 0:
    guard let packed = try? Gzip.compress(rest) else { fatalError("text cannot be compressed") }
    object(packed)
  case 1: object(rest)
  default: state(rest)
  }
}

private func object(_ packed: [UInt8]) {
  guard let day = Day("2026-11-21") else { fatalError("a day is invalid") }
  let name = ObjectName(kiosk: "a", generation: "0123456789abcdef", day: day, revision: 7)
  guard let object = try? DayObject(packed, named: name) else { return }
  guard let written = try? object.packed(), let again = try? DayObject(written, named: name) else {
    fatalError("an object that was read cannot be written")
  }
  must(again.content == object.content, "an object is read as it was written")
  var sum = ImportedDay(day)
  guard (try? sum.add(object.content)) != nil else { return }
  must((try? object.digest()) == (try? again.digest()), "the digest depends on the content alone")
}

private func state(_ bytes: [UInt8]) {
  guard let state = try? FleetState(bytes) else { return }
  guard let written = try? state.encoded(), let again = try? FleetState(written) else {
    fatalError("a state that was read cannot be written")
  }
  must(again == state, "a state is read as it was written")
  var compared = state
  let starts = state.generations.last?.starts ?? []
  _ = compared.compare(
    StoreIdentity(lastSession: 5, starts: starts, recovered: nil), name: "0123456789abcdef")
  must(
    compared.generations[compared.current].sessions.upperBound == .max,
    "the current generation has no end")
}
