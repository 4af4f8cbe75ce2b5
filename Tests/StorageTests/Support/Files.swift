import Glibc
import TestSupport
import Testing

@testable import Storage

struct Missing: Error {
  var what: String
}

extension TemporaryFolder {
  func file(_ name: String = "store.db") -> String { path(name) }
}

func contents(_ path: String) throws -> [UInt8] { try TemporaryFolder.contents(path) }

func write(_ bytes: some Collection<UInt8>, to path: String) throws {
  guard let file = unsafe fopen(path, "wb") else { throw Missing(what: path) }
  let bytes = Array(bytes)
  let written = unsafe fwrite(bytes, 1, bytes.count, file)
  unsafe fclose(file)
  try #require(written == bytes.count)
}

func size(_ path: String) -> Int64 { Int64(fileStatus(path).st_size) }

/// Returns the error that `body` throws. Fails the test if it throws none.
func failure<Result>(
  _ body: () throws(StoreError) -> Result, at place: SourceLocation = #_sourceLocation
) throws -> StoreError {
  var thrown: StoreError?
  do throws(StoreError) { _ = try body() } catch { thrown = error }
  return try #require(thrown, "nothing was thrown", sourceLocation: place)
}
