@testable import Storage
@testable import TouchModel

/// Fuzzes single values of a store from an untrusted source. The first byte chooses the kind of
/// value.
func fuzzStoreValues(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let kind = source.byte()
  if kind == 0xff { return bringIn(Array(source.rest)) }
  switch kind % 6 {
  case 0: inflate(&source)
  case 1: add(&source)
  case 2:
    guard let text = source.text(), let list = Placement.list(text) else { return }
    must(Placement.list(Placement.text(list)) == list, "placements are read as they were written")
  case 3:
    guard let text = source.text(), let list = Rectangle.list(text) else { return }
    must(Rectangle.list(Rectangle.text(list)) == list, "masks are read as they were written")
  case 4:
    guard let text = source.text(), let tags = Tags.read(text) else { return }
    must(Tags.read(Tags.text(tags)) == tags, "tags are read as they were written")
  default:
    guard let text = source.text(), let day = Day(text) else { return }
    must(day.text == text, "a day is written as it was read")
  }
}

private func inflate(_ source: inout ByteSource) {
  let width = Int(source.byte() % 20)
  let count = Int(source.integer(UInt16.self) % 5000)
  var cells = Cells.empty
  cells.bytesPerCell = width
  cells.packed = Array(source.rest)
  guard let counters = cells.counters(count: count) else { return }
  must(counters.count == count, "a grid has as many cells as were asked for")
  guard let written = try? Cells(counters) else { fatalError("cells cannot be written") }
  let again = written.counters(count: count)
  must(
    (0..<count).allSatisfy { again?[$0] == counters[$0] }, "cells are read as they were written")
}

extension Cells {
  fileprivate static var empty: Cells {
    guard let cells = try? Cells([UInt128]()) else { fatalError("no cells cannot be written") }
    return cells
  }
}

/// Checks that sums in `WideningSums` equal those of a plain addition.
private func add(_ source: inout ByteSource) {
  let count = 1 + Int(source.byte() % 4)
  let limit: UInt128 = source.byte() & 1 == 0 ? UInt128(Int64.max) : UInt128.max >> 1
  var lanes = WideningSums(count: count, limit: limit)
  var plain = [UInt128](repeating: 0, count: count)
  while !source.isEmpty {
    let width = source.choice([1, 2, 4, 8, 16])
    var cells = source.bytes(count * width)
    cells += [UInt8](repeating: 0, count: count * width - cells.count)
    var isTooLarge = false
    for index in plain.indices {
      var value: UInt128 = 0
      for (place, byte) in cells[(index * width)...].prefix(width).enumerated() {
        value |= UInt128(byte) << UInt128(8 * place)
      }
      let (sum, overflow) = plain[index].addingReportingOverflow(value)
      isTooLarge = isTooLarge || overflow || sum > limit
      plain[index] = sum
    }
    do throws(StoreError) {
      try lanes.add(cells, width: width)
    } catch {
      return must(isTooLarge, "a sum that fits was refused")
    }
    must(!isTooLarge, "a sum that does not fit was taken")
    must(lanes.values == plain, "the sums are \(lanes.values), not \(plain)")
  }
}

/// Checks that a checkpoint is either refused, and changes nothing, or the same after it is read,
/// written and read again.
private func bringIn(_ bytes: [UInt8]) {
  guard let geometry = DisplayGeometry(pixelWidth: 64, pixelHeight: 48) else { return }
  let key = GridKey(display: "", screen: "a", geometry: geometry)
  let before = SessionRecord(
    id: 1, began: WallTime(milliseconds: 0), lastActive: WallTime(milliseconds: 5),
    changedViews: [ScreenView(key: key)],
    changedGrids: [Grid(key: key, layer: .taps, counters: Counters(count: 12))])
  var record = before
  guard CheckpointReader.apply(bytes + Checkpoint.checksum(bytes[...]), place: 1, to: &record, .all)
  else {
    return must(record == before, "what cannot be read changes nothing")
  }
  must(record.totals.isBalanced, "books balance")
  must(record.blocks <= Checkpoint.blockLimit, "grids are bounded")
  guard let written = RunningSession(before).checkpoint(record)?.bytes else { return }
  var again = before
  must(
    CheckpointReader.apply(written, place: 1, to: &again, .all), "what was written is read")
  must(again.totals == record.totals, "books are read as they were written")
  must(again.changedViews == record.changedViews, "views are read as they were written")
  must(again.changedCounts == record.changedCounts, "counts are read as they were written")
  for (one, other) in zip(again.changedGrids, record.changedGrids) {
    must(
      one.key == other.key && one.layer == other.layer
        && (0..<one.counters.count).allSatisfy { one.counters[$0] == other.counters[$0] },
      "grids are read as they were written")
  }
}
