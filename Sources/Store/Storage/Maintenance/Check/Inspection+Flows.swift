internal import TouchModel

extension Inspection {
  /// Checks that the changes of screens of every day can be read, and that its numbers agree.
  func flows(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("flow", "days")
    try database.each("SELECT day, sessions, bytes, counts FROM flow") { row throws(StoreError) in
      progress(.advances)
      let owner = Fault.Owner.day(try row.text(0))
      _ = try reading(owner, report) { () throws(StoreError) in
        try FlowRow.read(row, in: database)
      }
    }
    return looked
  }
}
