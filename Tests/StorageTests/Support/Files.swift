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

struct Output {
  var status: Int32
  var text: String
}

/// Runs a shell command; the output includes standard error.
@discardableResult
func run(_ command: String) throws -> Output {
  guard let pipe = unsafe popen("exec 2>&1; \(command)", "r") else { throw Missing(what: "a pipe") }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = unsafe fread(&buffer, 1, buffer.count, pipe), count > 0 {
    text += buffer[..<count]
  }
  return Output(status: unsafe pclose(pipe), text: String(decoding: text, as: UTF8.self))
}

func contents(_ path: String) throws -> [UInt8] {
  guard let file = unsafe fopen(path, "rb") else { throw Missing(what: path) }
  defer { unsafe fclose(file) }
  var all: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = unsafe fread(&buffer, 1, buffer.count, file), count > 0 {
    all += buffer[..<count]
  }
  return all
}

func write(_ bytes: some Collection<UInt8>, to path: String) throws {
  guard let file = unsafe fopen(path, "wb") else { throw Missing(what: path) }
  let bytes = Array(bytes)
  let written = unsafe fwrite(bytes, 1, bytes.count, file)
  unsafe fclose(file)
  try #require(written == bytes.count)
}

func size(_ path: String) -> Int64 {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
}

/// Returns the error that `body` throws. Fails the test if it throws none.
func failure<Result>(
  _ body: () throws(StoreError) -> Result, at place: SourceLocation = #_sourceLocation
) throws -> StoreError {
  var thrown: StoreError?
  do throws(StoreError) { _ = try body() } catch { thrown = error }
  return try #require(thrown, "nothing was thrown", sourceLocation: place)
}
