public import Foundation

/// Runs a program from the PATH until it ends.
/// - Parameter environment: nil for the environment of the tests.
/// - Returns: Its exit status, and its standard output and standard error.
@discardableResult
public func run(
  _ words: [String], environment: [String: String]? = nil
) throws -> (status: Int32, output: String) {
  let (process, output) = try start(words, environment: environment)
  let data = output.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}

/// Runs a shell command until it ends.
@discardableResult
public func run(_ command: String) throws -> (status: Int32, output: String) {
  try run(["sh", "-c", command])
}

/// Starts a program from the PATH.
/// - Parameter hasErrors: Whether the output includes the standard error.
/// - Returns: The process, and the read end of the pipe to which it writes.
public func start(
  _ words: [String], environment: [String: String]? = nil, hasErrors: Bool = true
) throws -> (process: Process, output: FileHandle) {
  let (process, output) = (Process(), Pipe())
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  if let environment { process.environment = environment }
  process.standardOutput = output
  if hasErrors { process.standardError = output }
  try process.run()
  return (process, output.fileHandleForReading)
}

/// Runs a Python program and returns its standard output.
public func python(_ program: String, _ arguments: String...) throws -> String {
  let (process, output) = try start(["python3", "-c", program] + arguments, hasErrors: false)
  let data = output.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self)
}
