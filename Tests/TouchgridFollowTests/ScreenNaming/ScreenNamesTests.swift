import TestSupport
import Testing
import TouchModel

@testable import TouchgridFollow

@Suite struct ScreenNamesTests {
  @Test(arguments: [
    ("https://u:p@shop.example/a;jsessionid=1/b?token=x#y", "https://shop.example/a/b"),
    ("data:text/html,secret", "data:"), ("file:///home/x/a.html", "file:///home/x/a.html"),
  ])
  func `An address is printed without its secrets`(url: String, shown: String) {
    #expect(Observation(url: url).plainAddress == shown)
  }

  private func name(_ url: String, _ options: ScreenNames.Options = .init()) -> String {
    var names = ScreenNames(options: options)
    guard case .screen(let name, isMasked: false) = names.name(Observation(url: url), at: 0) else {
      return ""
    }
    return name
  }

  @Test(arguments: [
    ("http://localhost:8080/", "home"), ("http://127.0.0.1/menu", "menu"),
    ("http://[::1]:80/menu/", "menu"), ("http://shop.localhost/a//b", "a/b"),
    ("https://shop.example/product/4711", "shop.example/product/:n"),
    ("https://SHOP.example:443/Product", "shop.example/Product"),
    ("https://shop.example:8443/x", "shop.example:8443/x"),
    ("https://user:secret@shop.example/x", "shop.example/x"),
    ("https://shop.example", "shop.example/home"),
    ("http://localhost/order-20391/step2", "order-:n/step2"),
    ("http://localhost/9f86d081884c7d65", ":id"), ("http://localhost/facade", "facade"),
    ("http://localhost/123e4567-e89b-12d3-a456-426614174000/edit", ":id/edit"),
    ("http://localhost/v1a2b3c4d5e6f7g8h9", ":id"),
    ("http://localhost/menu.html?session=17&pin=1234#top", "menu"),
    ("http://localhost/shop/index.php", "shop"), ("http://localhost/index.html", "home"),
    ("file:///home/kiosk/site/start.html", "start"), ("file:///srv/kiosk/index.html", "home"),
    ("about:blank", "about"), ("data:text/html,secret", "data"),
    ("chrome-error://chromewebdata/", "error"), ("chrome://settings/x", "chrome"),
    ("http://localhost/%E6%94%AF%E6%89%95%E3%81%84", "支払い"),
    ("http://localhost/caf%C3%A9%00%1b%ff", "café\u{fffd}\u{fffd}\u{fffd}"),
    ("http://localhost/50%", "50%"), ("", "unnamed"), ("nonsense", "unnamed"),
    ("call anna, pin 1234: now", "unnamed"), ("http://127.evil.example/x", "127.evil.example/x"),
    ("http://localhost/cart;jsessionid=1A2B3C4D5E6F", "cart"),
    ("https://shop.example./x", "shop.example/x"),
    ("http://localhost/user/anna@example.com/edit", "user/:id/edit"),
    ("http://localhost/watch/dQw4w9WgXcQ", "watch/:id"), ("http://localhost/٤٥٦", ":n"),
    ("http://localhost/menu?\u{301}name=anna", "menu"), ("http://localhost/%-0", "%-0"),
    ("https://user:secret@\u{fe0f}shop.example/x", "\u{fe0f}shop.example/x"),
    ("http://localhost/#/menu?name=anna", "home"), ("javascript:alert(1)", "javascript"),
  ])
  func `Names without rules are short and have no identifiers`(url: String, expected: String) {
    #expect(name(url) == expected)
  }

  @Test func `Query parameters and fragments are in the name if configured`() {
    var options = ScreenNames.Options()
    let url = "http://localhost/shop?b=2&view=list+all&item=90210#!/cart/7"
    #expect(name(url, options) == "shop")
    options.query = ["view", "item", "none"]
    #expect(name(url, options) == "shop?view=list all&item=:n")
    options.fragment = true
    options.query = []
    #expect(name(url, options) == "shop/cart/:n")
    #expect(name("http://localhost/#/", options) == "home")
    #expect(name("http://localhost/#/menu?pin=1234", options) == "menu")
    #expect(name("http://localhost/#access_token=abc", options) == "home")
  }

  @Test func `Windows are named by their app and never by their title`() {
    var names = ScreenNames()
    let seen = Observation(app: "org.example.Till", title: "12:03:44 - Till")
    #expect(names.name(seen, at: 0) == .screen("org.example.Till", isMasked: false))
    #expect(names.name(Observation(title: "x"), at: 0) == .screen("unnamed", isMasked: false))
  }

  @Test func `Any text gives a valid name without secrets`() {
    var dice = SeededGenerator(seed: 8)
    let pieces = ["/", "%", "?", "#", "&", ":", "@", "7", " ", "=", ";", ".", "-", "a", "\u{301}"]
    func text() -> String {
      var text = ""
      for _ in 0..<Int.random(in: 0..<60, using: &dice) {
        let any = Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &dice))
        if Int.random(in: 0..<4, using: &dice) == 0 {
          text.unicodeScalars.append(any ?? "?")
        } else {
          text += pieces.randomElement(using: &dice) ?? ""
        }
      }
      return text
    }
    for _ in 0..<1000 {
      let path = text().replacing("?", with: "").replacing("#", with: "")
      let rules = (try? [ScreenRule(title: "x", .screen(name: text(), isMasked: false))]) ?? []
      var options = ScreenNames.Options()
      options.fragment = Bool.random(using: &dice)
      let urls = [
        text(), "http://localhost/" + text(),
        "https://secret:secret@shop.example/\(path)?secret=\(text())",
        "https://shop.example/\(path);secret?\(text().replacing("#", with: ""))#/a?secret",
      ]
      for url in urls {
        for seen in [Observation(url: url), Observation(app: url), Observation(title: "x")] {
          var names = ScreenNames(rules: rules, options: options)
          guard case .screen(let name, _) = names.name(seen, at: 0) else { continue }
          #expect(name.asName != nil)
          let tells = seen.url != nil && name.contains("secret")
          #expect(!tells, "\(url.debugDescription): \(name)")
        }
      }
    }
    #expect(ScreenNames.clean(String(repeating: "ä", count: 1_000_000)).utf8.count <= 128)
    #expect(ScreenNames.clean(String(repeating: " ", count: 1000) + "x ") == "x")
  }

  @Test func `The number of names is limited`() {
    var names = ScreenNames(
      rules: (try? [ScreenRule(url: "/pay", .screen(name: "pay", isMasked: true))]) ?? [],
      masked: ["pin"])
    var seen: Set<ScreenNames.Answer> = []
    for index in 0..<10_000 {
      let word = String(index, radix: 26).map { String($0) + "x" }.joined()
      seen.insert(names.name(Observation(url: "http://localhost/\(word)"), at: 0))
    }
    #expect(names.isFull && seen.count == ScreenNames.limit + 1)
    #expect(seen.contains(.screen("other", isMasked: false)))
    // A screen that a rule or the daemon masks keeps its name, because another would unmask it.
    #expect(
      names.name(Observation(url: "http://localhost/pay"), at: 0) == .screen("pay", isMasked: true))
    #expect(
      names.name(Observation(url: "http://localhost/pin"), at: 0) == .screen("pin", isMasked: true))
    // A name that has not been seen for a long time makes room for a new one.
    let new = Observation(url: "http://localhost/new")
    #expect(names.name(new, at: ScreenNames.memory - 1) == .screen("other", isMasked: false))
    #expect(names.name(new, at: ScreenNames.memory) == .screen("new", isMasked: false))
  }
}
