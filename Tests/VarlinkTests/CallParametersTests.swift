import Testing

@testable import Varlink

@Suite struct CallParametersTests {
  private struct Request: CallParameters {
    struct Span: Decodable { var since: Int64? }

    static let names = ["scale", "size", "count", "tags", "span"]
    var scale: Double?
    var size: Int64
    var count: Int64
    var tags: [String: String]?
    var span: Span?
  }

  @Test(arguments: [
    (#"{"scale":1e308,"count":1,"size":9223372036854775808,"tags":{}}"#, "size"),
    (#"{"scale":2,"count":9223372036854775808,"size":1,"tags":{}}"#, "count"),
    (#"{"tags":{"1":"1"},"count":1,"size":-9223372036854775809,"scale":1}"#, "size"),
    (#"{"tags":{},"size":1,"count":2,"span":{"since":9223372036854775808}}"#, "span"),
    (#"{"size":9223372036854775807,"count":2,"scale":1e999}"#, "scale"),
    (#"{"si\u007ae":9223372036854775808,"scale":1,"count":0}"#, "size"),
  ])
  func `The error about a number out of range names its parameter`(text: String, name: String)
    throws
  {
    let parameters = EncodedParameters(Array(text.utf8)[...])
    #expect(throws: VarlinkError.invalidParameter(name)) { try parameters.decode(Request.self) }
  }
}
