import LinuxIO
import Testing

@testable import Varlink

@Suite struct ServerTests {
  let service: Service

  init() throws { service = try Service() }

  private func answer(_ message: String) throws -> String? {
    var wire = try Wire(service)
    try wire.send(message)
    return try wire.next()
  }

  @Test func `A call is answered with the owner's reply`() throws {
    #expect(try answer(echo("hello")) == echoed("hello"))
    #expect(
      try answer(call("Echo", #"{"count":9223372036854775807,"text":"\u0000\ud83d\ude00é"}"#))
        == #"{"parameters":{"count":9223372036854775807,"text":"\u0000😀é"}}"#)
  }

  @Test func `Missing parameters equal null and an empty object`() throws {
    for parameters in [nil, "null", "{}"] {
      #expect(try answer(call("List", parameters)) == #"{"parameters":{"list":[]}}"#)
    }
  }

  @Test func `White space and vendors' members are ignored`() throws {
    let message =
      "\n { \"method\" : \"org.example.test.List\" ,\t\"org.example\" : { \"a\" : 1 } }\r\n"
    #expect(try answer(message) == #"{"parameters":{"list":[]}}"#)
    let nulls = call("List", "null", #","more":null,"oneway":null,"upgrade":null"#)
    #expect(try answer(nulls) == #"{"parameters":{"list":[]}}"#)
  }

  @Test(arguments: [
    (#"{}"#, "text"), (#"{"text":null}"#, "text"), (#"{"text":1}"#, "text"),
    (#"{"text":"a","count":"1"}"#, "count"),
    (#"{"text":"a","count":9223372036854775808}"#, "count"),
    (#"{"text":"a","count":1e400}"#, "count"), (#"{"text":"a","count":1.5}"#, "count"),
    (#"{"text":"a","count":[[[]]]}"#, "count"), (#"{"text":"a","size":1}"#, "size"),
    (#"{"text":"a","":1}"#, ""), (#"{"text":"a","q\"\n":1}"#, #"q\"\u000a"#),
    (#"{"t\u0065xt":1}"#, "text"),
  ])
  func `A parameter that is unknown, missing or of the wrong type is named`(
    parameters: String, name: String
  ) throws {
    var wire = try Wire(service)
    try wire.send(call("Echo", parameters))
    #expect(
      try wire.next()?.replacing(#"\n"#, with: #"\u000a"#)
        == #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(name)"}}"#
    )
    try wire.send(echo("still there"))
    #expect(try wire.next() == echoed("still there"))
  }

  @Test func `Unknown interfaces and unknown methods give different errors`() throws {
    let service = "org.varlink.service"
    #expect(
      try answer(#"{"method":"org.example.other.Get"}"#)
        == #"{"error":"\#(service).InterfaceNotFound","parameters":{"interface":"org.example.other"}}"#
    )
    #expect(
      try answer(#"{"method":"Get"}"#)
        == #"{"error":"\#(service).InterfaceNotFound","parameters":{"interface":"Get"}}"#)
    #expect(
      try answer(#"{"method":"org.example.test.Get"}"#)
        == #"{"error":"\#(service).MethodNotFound","parameters":{"method":"org.example.test.Get"}}"#
    )
    #expect(
      try answer(#"{"method":"\#(service).Get"}"#)
        == #"{"error":"\#(service).MethodNotFound","parameters":{"method":"\#(service).Get"}}"#)
    #expect(try answer(call("Watch")) == #"{"error":"\#(service).ExpectedMore"}"#)
  }

  @Test func `Upgrading the connection to another protocol is refused`() throws {
    var wire = try Wire(service)
    try wire.send(call("List", nil, #","upgrade":true"#))
    #expect(try wire.next()?.contains("MethodNotImplemented") == true)
    try wire.send(call("List"))
    #expect(try wire.next() == #"{"parameters":{"list":[]}}"#)
  }

  @Test func `The service describes itself and every interface`() throws {
    #expect(
      try answer(#"{"method":"org.varlink.service.GetInfo"}"#)
        == #"{"parameters":{"interfaces":["org.varlink.service","org.example.test"],"#
        + #""product":"Tests","url":"https://example.org","vendor":"Example","version":"1"}}"#)
    for name in ["org.varlink.service", "org.example.test"] {
      let description = try answer(
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(name)"}}"#
      )
      #expect(description?.contains(#"\ninterface \#(name)\n"#) == true)
    }
    for (parameters, error) in [
      (#"{"interface":"org.example"}"#, "InterfaceNotFound"), ("{}", "InvalidParameter"),
      (#"{"interface":1}"#, "InvalidParameter"), (#"{"interface":"a","b":1}"#, "InvalidParameter"),
    ] {
      let reply = try answer(
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":\#(parameters)}"#)
      #expect(reply?.contains("org.varlink.service.\(error)") == true)
    }
  }

  @Test func `Calls that are sent together are answered in order`() throws {
    var wire = try Wire(service)
    var messages: [UInt8] = []
    for number in 0..<2000 { messages += Array(echo("\(number)").utf8) + [0] }
    let all = messages
    // More than the server reads at a time, while the client reads nothing: the client must wait
    // and not fail.
    var sent = 0
    var number = 0
    while number < 2000 {
      while sent < all.count, case .moved(let count) = try wire.stream.send(all[sent...]) {
        sent += count
      }
      #expect(try wire.next() == echoed("\(number)"))
      number += 1
    }
  }

  @Test func `A one-way call never gets a reply`() throws {
    var wire = try Wire(service)
    let oneway = #","oneway":true"#
    try wire.send(call("Echo", #"{"text":"a"}"#, oneway))
    try wire.send(call("Fail", nil, oneway))
    try wire.send(call("Echo", #"{"wrong":1}"#, oneway))
    try wire.send(call("Missing", nil, oneway))
    try wire.send(call("Count", #"{"number":5}"#, oneway))
    try wire.send(#"{"method":"org.example.other.Get","oneway":true}"#)
    try wire.send(#"{"method":"org.varlink.service.GetInfo","oneway":true}"#)
    try wire.send(#"{"method":"org.varlink.service.Get","oneway":true}"#)
    try wire.send(echo("the first"))
    #expect(try wire.next() == echoed("the first"))
    #expect(service.perform { $0.calls.count } == 6)
  }

  @Test func `A client that did not ask for more gets one reply`() throws {
    var wire = try Wire(service)
    try wire.send(call("Count", #"{"number":3}"#))
    try wire.send(echo("next"))
    #expect(try wire.next() == #"{"parameters":{"number":1}}"#)
    #expect(try wire.next() == echoed("next"))
  }

  @Test func `A client that has ended its sending still gets its replies`() throws {
    var wire = try Wire(service)
    try wire.send(echo("1"))
    try wire.send(call("Never"))
    try wire.send(echo("2"))
    wire.endSending()
    #expect(try wire.next() == echoed("1"))
    #expect(service.eventually { !$0.waiting.isEmpty })
    service.perform { owner in
      for call in owner.waiting { owner.server.send(EncodedReply(["late": 1]), to: call) }
    }
    #expect(try wire.rest() == [#"{"parameters":{"late":1}}"#, echoed("2")])
    #expect(service.eventually { $0.server.clientCount == 0 && $0.closed.count == 1 })
  }

  @Test func `The disconnection of a subscriber is noticed at once`() throws {
    do {
      var wire = try Wire(service)
      try wire.send(call("Watch", nil, #","more":true"#))
      #expect(service.eventually { $0.waiting.count == 1 })
      service.perform { owner in
        owner.server.send(EncodedReply(["number": 1], continues: true), to: owner.waiting[0])
      }
      #expect(try wire.next() == #"{"parameters":{"number":1},"continues":true}"#)
      #expect(service.perform { $0.closed.isEmpty })
    }
    #expect(service.eventually { $0.closed.count == 1 && $0.server.clientCount == 0 })
    let wasSent = service.perform { owner in
      owner.server.send(EncodedReply(["number": 2], continues: true), to: owner.waiting[0])
    }
    #expect(!wasSent)
  }

  @Test func `A subscriber may end its sending and still receives`() throws {
    var wire = try Wire(service)
    try wire.send(call("Watch", nil, #","more":true"#))
    wire.endSending()
    #expect(service.eventually { $0.waiting.count == 1 })
    for number in 1...3 {
      service.perform { owner in
        owner.server.send(EncodedReply(["number": number], continues: true), to: owner.waiting[0])
      }
      #expect(try wire.next() == #"{"parameters":{"number":\#(number)},"continues":true}"#)
    }
    #expect(service.sleeps())
  }

  @Test func `A reply of many megabytes does not block other clients`() throws {
    var big = try Wire(service)
    try big.send(call("Big", #"{"number":8000000}"#))
    #expect(service.eventually { $0.calls.count == 1 })
    #expect(try answer(echo("meanwhile")) == echoed("meanwhile"))
    #expect(try big.next()?.utf8.count == 8_000_000 + #"{"parameters":{"text":""}}"#.count)
    try big.send(echo("after"))
    #expect(try big.next() == echoed("after"))
  }

  @Test func `Idle clients do not wake the server`() throws {
    let idle = try Wire(service)
    try idle.send("{\"half\":".utf8)
    var watcher = try Wire(service)
    try watcher.send(call("Watch", nil, #","more":true"#))
    let halfClosed = try Wire(service)
    try halfClosed.send(call("Never"))
    halfClosed.endSending()
    #expect(service.eventually { $0.waiting.count == 2 })
    #expect(service.perform { $0.server.nextDeadline == nil })
    #expect(service.sleeps())
    #expect(try watcher.next(within: 0) == nil)
  }
}
