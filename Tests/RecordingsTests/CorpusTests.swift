import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Recordings

/// Real recordings and descriptions of many years and makers, in the folder `TOUCHGRID_CORPUS`.
@Suite struct CorpusTests {
  private static let corpus: String? = unsafe getenv("TOUCHGRID_CORPUS").map {
    unsafe String(cString: $0)
  }

  @Test func `Every recording of the corpus is read with all of its events`()
    throws
  {
    guard let corpus = Self.corpus else {
      print("LEFT OUT: the corpus of recordings: TOUCHGRID_CORPUS is not set")
      return
    }
    let endings = ["ev", "evemu", "event", "events", "prop", "desc", "device"]
    let names = endings.map { "-name '*.\($0)'" }.joined(separator: " -o ")
    let list = try run("find '\(corpus)' -type f \\( \(names) \\)").output
    let paths = list.split(separator: "\n").map(String.init)
    #expect(paths.count >= 160)

    var events = 0
    for path in paths {
      do {
        let recording = try Recording.read(path: path)
        let lines = try RecordingFile.contents(of: path).split(separator: UInt8(ascii: "\n"))
          .count { $0.starts(with: "E:".utf8) }
        #expect(recording.events.count == lines, "\(path)")
        #expect(!recording.description.name.isEmpty, "\(path)")
        events += lines
        // Skip long recordings, which would add nothing and take a minute.
        if lines < 3000 {
          #expect(try parse(recording.evemuText, path: path) == [recording], "\(path)")
        }
      } catch {
        Issue.record("\(error)")
      }
    }
    print("corpus: \(paths.count) files, \(events) events")
    #expect(events > 600_000)
  }
}
