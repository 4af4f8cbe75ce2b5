internal import FuzzTargets
internal import Glibc

/// The entry point that libFuzzer calls with one input at a time. The environment names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  target.run(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

private let target: FuzzTarget = {
  let name = unsafe getenv("TOUCHGRID_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("TOUCHGRID_FUZZ_TARGET must be one of \(names)")
  }
  return target
}()
