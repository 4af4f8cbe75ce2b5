import Testing

@testable import TouchgridFollow

/// The steps for screens that the daemon cannot mask, because it accepts no more masks.
@Suite struct MaskingTests {
  private func change(
    _ name: String, masked: Bool = false, on display: String? = nil
  ) -> ShownScreens.Change {
    .init(display: display, name: name, isMasked: masked, time: 1)
  }

  private func pay(on display: String? = nil) -> ShownScreens.Change {
    change("pay", masked: true, on: display)
  }

  @Test func `A screen that cannot be masked is reported as a masked one`() {
    var masking = UnmaskedScreens(masked: ["checkout"])
    masking.refuse("pay")
    #expect(masking.steps(for: pay(on: "A")) == [.send(change("checkout", masked: true, on: "A"))])
    #expect(masking.steps(for: change("menu", on: "A")) == [.send(change("menu", on: "A"))])
    #expect(
      masking.report?.contains("\"pay\": touches there are recorded on the screen \"checkout\"")
        == true)
  }

  @Test func `The substitute is a configured mask if there is one, else an added one`() {
    var masking = UnmaskedScreens(configured: ["pin"], masked: ["checkout"])
    masking.refuse("pay")
    #expect(masking.steps(for: pay()) == [.send(change("pin", masked: true))])
    var other = UnmaskedScreens()
    other.add("a")
    other.refuse("pay")
    #expect(other.steps(for: pay()) == [.send(change("a", masked: true))])
  }

  @Test func `Without any mask, recording is paused until another screen is shown`() {
    var masking = UnmaskedScreens()
    masking.refuse("pay")
    masking.refuse("pin")
    #expect(masking.report?.contains("\"pay\" and 1 more screen: recording is paused") == true)
    #expect(masking.steps(for: change("menu")) == [.send(change("menu"))])
    #expect(masking.steps(for: pay()) == [.pause])
    masking.isPaused = true
    #expect(masking.steps(for: change("pin", masked: true)) == [])
    #expect(masking.steps(for: change("menu")) == [.send(change("menu")), .resume])
  }

  @Test func `Recording is paused for a masked screen that the daemon does not name`() {
    var masking = UnmaskedScreens(masked: ["pay"])
    #expect(masking.hide("A") == [.pause])
    masking.isPaused = true
    #expect(masking.hide("A") == [])
    #expect(
      masking.steps(for: change("menu", on: "A")) == [.send(change("menu", on: "A")), .resume])
  }

  @Test func `Recording is paused while any display shows such a screen`() {
    var masking = UnmaskedScreens()
    masking.refuse("pay")
    #expect(masking.steps(for: pay(on: "A")) == [.pause])
    masking.isPaused = true
    #expect(masking.steps(for: pay(on: "B")) == [])
    #expect(masking.steps(for: change("menu", on: "A")) == [.send(change("menu", on: "A"))])
    let last = change("menu", on: "B")
    #expect(masking.steps(for: last) == [.send(last), .resume])
    // A name for all displays replaces the name of each display.
    #expect(masking.steps(for: pay(on: "A")) == [])
    #expect(masking.steps(for: change("menu")) == [.send(change("menu")), .resume])
    #expect(masking.steps(for: pay()) == [])
    #expect(masking.steps(for: change("menu", on: "A")) == [.send(change("menu", on: "A"))])
  }

  @Test func `A screen that is masked only once it is shown has no mask until then`() {
    var masking = UnmaskedScreens(masked: ["pay"], later: ["pay", "@error/masked"])
    #expect(!masking.lacks("pay") && masking.lacks("@error/masked"))
    masking.refuse("@error/masked")
    #expect(masking.lacks("@error/masked"))
    #expect(
      masking.steps(for: change("@error/masked", masked: true))
        == [.send(change("pay", masked: true))])
    masking.add("@error/masked")
    #expect(!masking.lacks("@error/masked"))
  }

  @Test func `A mask that is accepted later is used`() {
    var masking = UnmaskedScreens()
    masking.refuse("pay")
    #expect(masking.lacks("pay") && masking.steps(for: pay()) == [.pause])
    masking.isPaused = true
    masking.add("pay")
    #expect(!masking.lacks("pay") && masking.report == nil)
    #expect(masking.steps(for: pay()) == [.send(pay()), .resume])
  }
}
