import Testing

@testable import TouchgridCommands

@Suite struct ProgressTests {
  @Test(arguments: [
    (0, 5.0, "export: 0 of 365 days"),
    (120, 20, "export: 120 of 365 days, 41 s left"),
    (1, 10, "export: 1 of 365 days, 1 h left"),
    (1, 1000, "export: 1 of 365 days"),
    (365, 60, "export: 365 of 365 days"),
    (400, 60, "export: 400 of 365 days"),
  ])
  func `The line has the progress and the remaining time`(done: Int, elapsed: Double, line: String)
  {
    #expect(Progress.line("export", done, 365, "days", elapsed: elapsed) == line)
  }

  @Test func `The steps need no unit`() {
    #expect(Progress.line("report", 3, 4, "", elapsed: 3) == "report: 3 of 4, 1 s left")
  }
}
