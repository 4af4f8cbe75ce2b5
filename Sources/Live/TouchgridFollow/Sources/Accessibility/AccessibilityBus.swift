internal import LinuxIO

/// The connection to the accessibility bus of this session. It reconnects automatically.
final class AccessibilityBus {
  enum Event {
    case connected
    /// A program has reported an event that may concern its controls.
    case changed(program: String)
    /// There is no connection, for this reason.
    case lost(String)
  }

  /// The maximum time, in ms, until the session's bus has started the accessibility bus.
  private static let startTime = 10_000
  private static let objectEvents = "org.a11y.atspi.Event.Object"
  private static let windowEvents = "org.a11y.atspi.Event.Window"
  /// The events that may indicate changed controls: the name for `RegisterEvent`, and the rule for
  /// `subscribe`. Events about text input and focus are not among them.
  private static let events: [(name: String, rule: String)] =
    [
      ("object:bounds-changed", "interface='\(objectEvents)',member='BoundsChanged'"),
      ("object:children-changed", "interface='\(objectEvents)',member='ChildrenChanged'"),
      (
        "object:property-change:accessible-name",
        "interface='\(objectEvents)',member='PropertyChange',arg0='accessible-name'"
      ),
    ]
    + ["showing", "visible", "sensitive", "enabled"].map {
      (
        "object:state-changed:\($0)",
        "interface='\(objectEvents)',member='StateChanged',arg0='\($0)'"
      )
    }
    + ["Activate", "Create", "Resize", "Restore"].map {
      ("window:\($0.lowercased())", "interface='\(windowEvents)',member='\($0)'")
    }

  private let loop: Loop
  private let handler: (Event) -> Void
  private var session: DBusConnection?
  private(set) var connection: DBusConnection?
  private var timer: Loop.Timer?
  private var delay = RetryDelay()

  init(loop: Loop, _ handler: @escaping (Event) -> Void) {
    self.loop = loop
    self.handler = handler
    timer = loop.after(milliseconds: 0) { [unowned self] in connect() }
  }

  private func connect() {
    timer = nil
    if let address = Environment.value("AT_SPI_BUS_ADDRESS") { return connect(to: address) }
    guard
      let address = Environment.value("DBUS_SESSION_BUS_ADDRESS")
        ?? Environment.value("XDG_RUNTIME_DIR").map({ "unix:path=\($0)/bus" })
    else { return lose("DBUS_SESSION_BUS_ADDRESS, which names the session's bus, is not set") }
    do throws(SystemError) {
      session = try DBusConnection(
        loop: loop, address: address, signal: { _ in },
        ended: { [unowned self] in lose("the session's bus has closed the connection") })
    } catch {
      return lose("no D-Bus session: \(error)")
    }
    timer = loop.after(milliseconds: Self.startTime) { [unowned self] in
      lose("the session's bus does not answer")
    }
    session?.call("GetAddress", of: "org.a11y.Bus", at: "/org/a11y/bus", on: "org.a11y.Bus") {
      [unowned self] reply in
      guard let reply, reply.hasTypes("s"), let address = reply.text(), !address.isEmpty else {
        return lose("this session has no accessibility bus (install at-spi2-core)")
      }
      connect(to: address)
    }
  }

  private func connect(to address: String) {
    session = nil
    timer = nil
    let connection: DBusConnection
    do throws(SystemError) {
      connection = try DBusConnection(
        loop: loop, address: address,
        signal: { [unowned self] in handler(.changed(program: $0.sender)) },
        ended: { [unowned self] in lose("the accessibility bus has closed the connection") })
    } catch {
      return lose("no accessibility bus: \(error)")
    }
    self.connection = connection
    for event in Self.events {
      connection.subscribe(to: "type='signal',\(event.rule)")
      // Programs send only events that a client has registered.
      connection.call(
        "RegisterEvent", of: "org.a11y.atspi.Registry", at: "/org/a11y/atspi/registry",
        on: "org.a11y.atspi.Registry", [.text(event.name), .noTexts, .text("")])
    }
    delay.reset()
    handler(.connected)
  }

  private func lose(_ reason: String) {
    session = nil
    connection = nil
    timer = loop.after(milliseconds: delay.next()) { [unowned self] in connect() }
    handler(.lost(reason))
  }
}
