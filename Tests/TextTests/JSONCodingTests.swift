import Foundation
import Testing

@testable import Text

/// Compares the results with those of Foundation's encoder and decoder.
@Suite struct JSONCodingTests {
  private struct Everything: Codable, Equatable {
    enum Kind: String, Codable { case one, two }
    enum Shape: Codable, Equatable {
      case point
      case circle(radius: Double)
      case named(String, at: [Int])
    }
    struct Inner: Codable, Equatable {
      var flag: Bool
      var small: Int8?
      var list: [[UInt64]]
    }

    var text: String
    var whole: Int64
    var large: UInt64
    var number: Double
    var kind: Kind
    var shapes: [Shape]
    var inner: Inner?
    var inners: [String: Inner]
    var maybes: [Int?]
    var nothing: [String: Int]

    static func random() -> Everything {
      func text() -> String {
        let characters = ["a", "é", "\"", "\\", "/", "\n", "\u{1}", "😀", "\u{7f}", "\u{2028}", ""]
        return (0..<Int.random(in: 0...6)).compactMap { _ in characters.randomElement() }.joined()
      }
      func inner() -> Inner {
        Inner(
          flag: .random(), small: Bool.random() ? .random(in: .min ... .max) : nil,
          list: (0..<Int.random(in: 0...3)).map { _ in
            (0..<Int.random(in: 0...3)).map { _ in .random(in: .min ... .max) }
          })
      }
      let number = Double(bitPattern: .random(in: .min ... .max))
      return Everything(
        text: text(), whole: .random(in: .min ... .max), large: .random(in: .min ... .max),
        number: number.isFinite ? number : 0.1, kind: Bool.random() ? .one : .two,
        shapes: [.point, .circle(radius: .random(in: -1...1)), .named(text(), at: [1, 2])],
        inner: Bool.random() ? inner() : nil,
        inners: Dictionary([(text(), inner()), (text(), inner())], uniquingKeysWith: { $1 }),
        maybes: [1, nil, .random(in: .min ... .max)], nothing: [:])
    }
  }

  @Test func `Encoded values are decoded to the same, here and by Foundation`() throws {
    for _ in 0..<200 {
      let value = Everything.random()
      let bytes = try #require(JSON.encodedObject(value))
      _ = try JSONScanner.members(of: bytes[...])
      #expect(try JSON.decodeScanned(Everything.self, from: bytes[...]) == value)
      #expect(try JSONDecoder().decode(Everything.self, from: Data(bytes)) == value)
      let theirs = Array(try JSONEncoder().encode(value))
      #expect(try JSON.decodeScanned(Everything.self, from: theirs[...]) == value)
    }
  }

  @Test func `Members are sorted by name`() throws {
    let bytes = try #require(JSON.encodedObject(["b": 1, "": 2, "a": 3, "ä": 4]))
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"":2,"a":3,"b":1,"ä":4}"#)
  }

  @Test func `A value that encodes nothing becomes an empty object`() {
    struct Empty: Encodable {}
    #expect(JSON.encodedObject(Empty()) == JSON.emptyObject)
  }

  @Test(arguments: [Double.nan, .infinity]) func `NaN and infinity cannot be encoded`(
    number: Double
  ) {
    #expect(JSON.encodedObject(["x": [number]]) == nil)
  }

  @Test func `Only objects can be encoded at the top level`() {
    #expect(JSON.encodedObject([1]) == nil)
    #expect(JSON.encodedObject("text") == nil)
  }

  private struct Sample: Decodable, Equatable {
    struct Inner: Decodable, Equatable { var x: [Int8] }
    var whole: Int64?
    var number: Double?
    var flag: Bool?
    var text: String?
    var inner: Inner?
  }

  @Test(
    arguments: [
      #"{}"#, #"{"whole":1}"#, #"{"whole":null}"#, #"{"whole":-0}"#, #"{"whole":1.0}"#,
      #"{"whole":1e3}"#, #"{"whole":1.5}"#, #"{"whole":9223372036854775807}"#,
      #"{"whole":9223372036854775808}"#, #"{"whole":"1"}"#, #"{"whole":true}"#,
      #"{"number":1}"#, #"{"number":-1.5e-3}"#, #"{"number":1e999}"#, #"{"number":"1"}"#,
      #"{"flag":true}"#, #"{"flag":1}"#, #"{"flag":"true"}"#, #"{"text":"a\u00e9\n"}"#,
      #"{"text":1}"#, #"{"text":[]}"#, #"{"inner":{"x":[1,2]}}"#, #"{"inner":{"x":[1,200]}}"#,
      #"{"inner":{"x":[1,null]}}"#, #"{"inner":{"x":{}}}"#, #"{"inner":{}}"#, #"{"inner":[]}"#,
      #"{"inner":{"x":["a"]}}"#, #"{"other":[{}]}"#, " { \"whole\" :\t7 } ",
    ])
  func `The decoder accepts and rejects the same texts as Foundation's`(text: String) throws {
    try compare(Sample.self, text)
  }

  /// Compares what is decoded with what Foundation decodes.
  private func compare<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) throws {
    _ = try JSONScanner.members(of: Array(text.utf8)[...])
    let ours = Result { try JSON.decodeScanned(type, from: Array(text.utf8)[...]) }
    let theirs = Result { try JSONDecoder().decode(type, from: Data(text.utf8)) }
    switch (ours, theirs) {
    case (.success(let ours), .success(let theirs)):
      #expect(ours == theirs)
      // Zeros with different signs are equal, but their descriptions differ.
      #expect("\(ours)" == "\(theirs)")
    case (.failure(let ours as DecodingError), .failure): #expect(!path(ours).isEmpty)
    default: Issue.record("\(ours), and others \(theirs)")
    }
  }

  @Test(
    arguments: [
      (#"{"inner":{"x":[1,200]}}"#, "inner.x.1"), (#"{"inner":{}}"#, "inner.x"),
      (#"{"whole":1e300}"#, "whole"), (#"{"inner":{"x":3}}"#, "inner.x"),
    ])
  func `Errors name the path of the wrong value`(text: String, place: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSON.decodeScanned(Sample.self, from: Array(text.utf8)[...])
    }
    #expect(error.map(path) == place)
  }

  private func path(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.map(\.stringValue).joined(separator: ".")
    @unknown default: ""
    }
  }
}

extension JSONCodingTests {
  private struct Lists: Codable, Equatable {
    var wholes: [Int64]?
    var numbers: [Double]?
  }

  @Test(
    arguments: [
      #"{"wholes":[]}"#, #"{"wholes":[ 1 , -2,0,-0 ,9223372036854775807,-9223372036854775808]}"#,
      #"{"wholes":[999999999999999999,1000000000000000000]}"#, #"{"wholes":[1e3,2.0]}"#,
      #"{"wholes":[1.5]}"#, #"{"wholes":[9223372036854775808]}"#, #"{"wholes":[1,null]}"#,
      #"{"wholes":[1,"2"]}"#, #"{"wholes":[[1]]}"#, #"{"wholes":{"a":[1]}}"#,
      #"{"numbers":[0,-0,1,-17,0.1,1e-7,1E+16,9007199254740993,123456789012345678901]}"#,
      #"{"numbers":[1e999]}"#, #"{"numbers":[true]}"#,
      #"{"numbers":[5e-324,1.7976931348623157e308]}"#,
    ])
  func `Lists of numbers are decoded as by Foundation`(text: String) throws {
    try compare(Lists.self, text)
  }

  /// The names are "é" as one code point and as two. They differ in JSON, but are equal as
  /// `String`.
  @Test func `Names that differ only in Unicode form are rejected`() throws {
    let text = Array(#"{"tags":{"\#u{e9}":"a","e\#u{301}":"b"}}"#.utf8)
    #expect(try JSONScanner.members(of: text[...]).count == 1)
    let error = #expect(throws: DecodingError.self) {
      try JSON.decodeScanned([String: [String: String]].self, from: text[...])
    }
    #expect(error.map(path) == "tags")
    let others = Array(#"{"\#u{e9}":"a","e":"b","\#u{e8}":"c"}"#.utf8)
    #expect(try JSON.decodeScanned([String: String].self, from: others[...]).count == 3)
  }

  @Test func `Members are found by the bytes of their names`() throws {
    // The Kelvin sign and K are canonically equivalent, so they are equal as `String`.
    struct Kelvin: Decodable {
      enum CodingKeys: String, CodingKey { case degrees = "K" }
      let degrees: Int?
    }
    #expect(
      try JSON.decodeScanned(Kelvin.self, from: Array(#"{"\#u{212a}":1}"#.utf8)[...]).degrees == nil
    )
    #expect(
      try JSON.decodeScanned(Kelvin.self, from: Array(#"{"\#u{4b}":1}"#.utf8)[...]).degrees == 1)
  }

  @Test func `White space between tokens changes nothing`() throws {
    let value = ["a \" ] } \\": ["b": [1, 2, 3]], "": ["[": []]]
    let dense = try #require(JSON.encodedObject(value))
    var text: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in dense {
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      text.append(byte)
      if !isInString, !(0x30...0x39).contains(byte) { text += " \n\t\r".utf8 }
    }
    _ = try JSONScanner.members(of: text[...])
    #expect(try JSON.decodeScanned([String: [String: [Int]]].self, from: text[...]) == value)
  }

  private struct Exact: Decodable {
    enum CodingKeys: String, OnlyKeys { case here }
    var here: Int?
  }

  @Test func `A type with only its keys is decoded from no object with others`() throws {
    for text in ["{}", #"{"here":1}"#] {
      #expect(throws: Never.self) { try JSON.decode(Exact.self, from: Array(text.utf8)[...]) }
    }
    for text in [#"{"there":1}"#, #"{"here":1,"\u0068ere\u0301":1}"#] {
      #expect(throws: JSON.Problem.self) {
        try JSON.decode(Exact.self, from: Array(text.utf8)[...])
      }
    }
  }

  @Test func `Many combining marks in a row are refused if they are limited`() {
    func isRead(_ marks: String, limitsMarks: Bool) -> Bool {
      let text = Array("{\"here\":1,\"e\(marks)\":\"e\(marks)e\(marks)\"}".utf8)
      return (try? JSON.decode([String: JSONAny].self, from: text[...], limitsMarks: limitsMarks))
        != nil
    }
    for mark in ["\u{301}", "\\u0301", "\u{316}", "\\ud834\\udd65"] {
      let most = String(repeating: mark, count: JSONScanner.markLimit)
      #expect(isRead(most, limitsMarks: true))
      #expect(!isRead(most + mark, limitsMarks: true))
      #expect(isRead(most + mark, limitsMarks: false))
    }
  }

  private struct JSONAny: Decodable { init(from decoder: any Decoder) {} }
}
