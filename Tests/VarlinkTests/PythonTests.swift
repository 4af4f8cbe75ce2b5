import Foundation
import TestSupport
import Testing
import Varlink

private let pythonHasVarlink = (try? python("import varlink; print('yes')")) == "yes\n"

/// Python's varlink package with this client and this server.
@Suite(.enabled(if: pythonHasVarlink, "python3 has no package varlink: pip install varlink"))
struct PythonTests {
  @Test func `The Swift client calls the Python server`() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.write(InterfaceDescription.example.text, to: "org.example.test.varlink")
    let (server, output) = try start([
      "python3", "-c",
      """
      import sys, varlink
      service = varlink.Service(vendor='V', product='P', version='1', url='u', interface_dir=sys.argv[1])
      class Handler(varlink.RequestHandler):
          service = service
      class Failed(varlink.VarlinkError):
          def __init__(self):
              varlink.VarlinkError.__init__(self, {'error': 'org.example.test.Failed',
                                                   'parameters': {'message': 'so sorry'}})
      @service.interface('org.example.test')
      class Example:
          def Echo(self, text, count):
              return {'text': text, 'count': count}
          def Fail(self):
              raise Failed()
          def Count(self, number, _more=False):
              for n in range(1, number + 1):
                  yield {'number': n, '_continues': n < number}
          def Nothing(self):
              return {}
      with varlink.ThreadingServer('unix:' + sys.argv[1] + '/socket', Handler) as server:
          print('ready', flush=True)
          server.serve_forever()
      """, folder.path,
    ])
    defer {
      // Not SIGTERM, which an inherited signal mask may block.
      kill(server.processIdentifier, SIGKILL)
      server.waitUntilExit()
    }
    #expect(!output.availableData.isEmpty)

    var client = try Client(path: folder.path("socket"))
    let text: Service.Owner.Text = try client.call(
      "org.example.test.Echo", Service.Owner.Text(text: "häh", count: 3))
    #expect(text.text == "häh")
    #expect(text.count == 3)
    _ = try client.call("org.example.test.Nothing", NoParameters(), as: NoParameters.self)
    do {
      _ = try client.call("org.example.test.Fail", NoParameters(), as: NoParameters.self)
      Issue.record("the call did not fail")
    } catch {
      guard case .remote(let remote) = error else { throw error }
      #expect(remote.name == "org.example.test.Failed")
      #expect(remote.message == "so sorry")
    }
    try client.start("org.example.test.Count", Service.Owner.Number(number: 3), more: true)
    var numbers: [Int] = []
    while let next = try client.receive(as: Service.Owner.Number.self, within: .seconds(5)) {
      numbers.append(next.reply.number)
      if !next.continues { break }
    }
    #expect(numbers == [1, 2, 3])
  }
}
