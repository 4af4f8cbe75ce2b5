import Foundation
import TestSupport
import Testing
import TouchgridAPI
import Varlink

/// Every method of the interface must be in the fuzzers.
struct MethodsTests {
  private let names: Set<String>

  init() {
    let lines = InterfaceDescription.touchgrid.text.split(separator: "\n")
    let methods = lines.filter { $0.hasPrefix("method ") }.map { line in
      API.interface + "." + line.dropFirst("method ".count).prefix { $0 != "(" }
    }
    names = Set(methods)
  }

  @Test func `The fuzz target of the client calls every method of the interface`() {
    #expect(Set(askedMethods.map { $0.name }) == names && names.count > 15)
  }

  @Test func `The fuzzer's dictionary has the name of every method`() throws {
    let words = try Project.text("Fuzz/Dictionaries/varlink-server.dict").split(separator: "\n")
    #expect(names.subtracting(words.map { $0.trimmingCharacters(in: ["\""]) }) == [])
  }
}
