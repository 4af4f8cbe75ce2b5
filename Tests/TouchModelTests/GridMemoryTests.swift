import Glibc
import Testing

@testable import TouchModel

@Suite struct GridMemoryTests {
  private struct NoAllocator: Error {}

  /// Returns the size, in bytes, of the memory block that the allocator returned for an array. The
  /// elements follow a header of 32 bytes, where the block begins.
  private func allocated(_ bytes: [UInt8]) throws -> Int {
    // Swift's Glibc module lacks this function of <malloc.h>.
    typealias UsableSize = @convention(c) (UnsafeRawPointer) -> Int
    guard let symbol = unsafe dlsym(nil, "malloc_usable_size") else { throw NoAllocator() }
    let usableSize = unsafe unsafeBitCast(symbol, to: UsableSize.self)
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe usableSize($0 - 32) } ?? 0
    }
  }

  @Test
  func `A screen of 1024 x 768 takes 3,072 bytes a layer while no count exceeds 255`() throws {
    var kiosk = Kiosk(SessionRules(layers: [.taps]))
    let panel = try kiosk.add(.test())
    // 255 taps on one block, and some on other blocks.
    for _ in 0..<255 { kiosk.tap(panel, 5, 5, milliseconds: 50) }
    for step in 1..<64 as Range<Int32> { kiosk.tap(panel, step * 64, step * 64, milliseconds: 50) }
    kiosk.pass(6000)
    #expect(kiosk.recorder.counterBytes == 3072)
    let counters = try #require(kiosk.grids[1]?.values.first?[.taps])
    #expect(counters[0] == 255)
    #expect(counters.bytes.count == 3072)
    #expect((3072...3072 + 64).contains(try allocated(counters.bytes)))
    // One more tap widens the layer.
    kiosk.tap(panel, 5, 5, milliseconds: 50)
    kiosk.stop()
    let wide = try #require(kiosk.grids[1]?.values.first?[.taps])
    #expect(wide[0] == 256 && wide.bytes.count == 6144)
    #expect(wide.sum == 256 + 63)
  }

  @Test func `A screen that was shown but not touched takes no counters`() throws {
    var kiosk = Kiosk(SessionRules(layers: [.taps]))
    let panel = try kiosk.add(.test())
    kiosk.down(panel)
    for screen in 0..<100 {
      try kiosk.show("screen \(screen)")
      kiosk.pass(100)
    }
    kiosk.up(panel)
    kiosk.pass(6000)
    #expect(kiosk.recorder.counterBytes == 3072)
  }
}
