import ArgumentParser
import TestSupport
import Testing

@testable import TouchgridCommands
@testable import TouchgridDaemon

/// The man pages and completions that `scripts/generate` makes.
@Suite struct ManualTests {
  /// The generated files, by their path. They are made once.
  private static let files = Result {
    let (output, own) = (try TemporaryFolder(), try TemporaryFolder())
    let binaries = try Program.path.split(separator: "/").dropLast().joined(separator: "/")
    let result = try Program.run(
      [Project.path("scripts/generate"), "/\(binaries)", output.path], program: "python3", in: own)
    try #require(result.status == 0, "\(result.error)")
    let found = try Program.run([output.path, "-type", "f"], program: "find", in: own)
    return try found.text.split(separator: "\n").reduce(into: [String: String]()) { files, path in
      let text = String(decoding: try TemporaryFolder.contents(String(path)), as: UTF8.self)
      files[String(path.dropFirst(output.path.count + 1))] = text
    }
  }

  private func text(_ name: String) throws -> String {
    try #require(Self.files.get()[name], "\(name)")
  }

  private static let pages = [
    "man1/touchgrid.1", "man1/touchgrid-overlay.1", "man8/touchgridd.8", "man5/touchgridd.toml.5",
    "man1/touchgrid-follow.1", "man5/touchgrid-follow.toml.5", "man8/touchgrid-mqtt.8",
    "man5/touchgrid-mqtt.toml.5",
  ]

  @Test(arguments: pages)
  func `Every man page has files, examples and references to existing pages`(page: String) throws {
    let text = try text("man/\(page)")
    for section in ["NAME", "FILES", "EXAMPLES", "SEE ALSO"] {
      #expect(text.contains("\n.SH \(section)\n"), "\(section)")
    }
    // The pages in SEE ALSO exist, and commas separate them.
    let others = try #require(text.split(separator: "\n.SH SEE ALSO\n").last)
      .split(separator: "\n").map { $0.replacing("\\", with: "") }
    for (index, line) in others.enumerated() {
      #expect(line.hasSuffix(",") == (index + 1 < others.count), "\(line)")
      let words = line.replacing(",", with: "").split(separator: " ")
      let section = words[2].dropFirst().dropLast()
      #expect(try !self.text("man/man\(section)/\(words[1]).\(section)").isEmpty, "\(line)")
    }
  }

  @Test func `Completions offer the colours of maps`() throws {
    for name in ["bash-completion/completions/touchgrid", "zsh/vendor-completions/_touchgrid"]
      + ["fish/vendor_completions.d/touchgrid.fish"]
    {
      let script = try text(name)
      for colours in ["inferno", "viridis", "turbo", "greys"] {
        #expect(script.contains(colours), "\(name)")
      }
    }
  }

  @Test(arguments: pages)
  func `Every man page uses only known roff requests`(page: String) throws {
    let known = Set(
      [".TH", ".SH", ".SS", ".PP", ".TP", ".HP", ".RS", ".RE", ".B", ".I", ".BR", ".nf", ".fi"]
        + [".nh", ".ad", ".ss", ".sp", ".\\\""])
    let lines = try text("man/\(page)").split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
      let request = line.prefix { $0 != " " }
      #expect(known.contains(String(request)), "\(line)")
    }
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 >= 32 && $0 < 127 } })
  }

  /// The tests do not require groff. If it is installed, it must give no warnings.
  @Test(arguments: pages)
  func `Every man page is formatted without warnings and fits 80 columns`(page: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text("man/\(page)"), to: "page")
    guard let warnings = run(["groff", "-man", "-Tascii", "-ww", "-z", path]) else { return }
    #expect(warnings == "")
    let set = try #require(run(["groff", "-man", "-Tascii", "-P-c", "-rLL=80n", path]))
    // In plain ASCII, bold and underlined characters are overstruck.
    let widths = set.split(separator: "\n").map { line in
      line.utf8.count - 2 * line.utf8.count { $0 == 8 }
    }
    #expect(widths.count > 20 && widths.allSatisfy { $0 <= 80 })
  }

  private func run(_ words: [String]) -> String? {
    guard let folder = try? TemporaryFolder(),
      let result = try? Program.run(Array(words.dropFirst()), program: words[0], in: folder)
    else { return nil }
    return result.text + result.error
  }

  @Test func `Every verb is in the man page and in the completions`() throws {
    let page = try text("man/man1/touchgrid.1")
    let fish = try text("fish/vendor_completions.d/touchgrid.fish")
    let bash = try text("bash-completion/completions/touchgrid")
    let zsh = try text("zsh/vendor-completions/_touchgrid")
    for verb in Touchgrid.configuration.subcommands.map({ $0._commandName }) {
      let title = verb.replacing("-", with: "\\-")
      #expect(page.contains("\n.SS \(title)\n"), "\(verb)")
      for script in [fish, bash, zsh] { #expect(script.contains(verb), "\(verb)") }
    }
    #expect(page.contains("\n.SS overlay on\n") && page.contains("\n.SS mask add\n"))
    #expect(page.contains("\n.SS panel test\n"))
  }

  @Test func `Every option of the daemon is in its help, man page and completions`() throws {
    let page = try text("man/man8/touchgridd.8")
    let bash = try text("bash-completion/completions/touchgridd")
    let zsh = try text("zsh/vendor-completions/_touchgridd")
    let fish = try text("fish/vendor_completions.d/touchgridd.fish")
    for option in Options.names {
      #expect(
        Usage.help.contains("\n  \(option)") || Usage.help.contains(", \(option) "), "\(option)")
      #expect(page.contains("\\fB" + option.replacing("-", with: "\\-") + "\\fR"), "\(option)")
      #expect(bash.contains(option) && zsh.contains("\(option)["), "\(option)")
      #expect(fish.contains(" -l \(option.dropFirst(2)) "), "\(option)")
    }
    #expect(bash.contains("compgen -W 'fast recorded'") && zsh.contains("(fast recorded)"))
    let folder = try TemporaryFolder()
    #expect(run(["bash", "-n", try folder.write(bash, to: "script")]) == "")
  }

  @Test func `The daemon prints its help, and errors about wrong usage`() throws {
    let folder = try TemporaryFolder()
    let daemon = try Program.path.replacing(#/touchgrid$/#, with: "touchgridd")
    let help = try Program.run(["--help"], program: daemon, in: folder)
    #expect(help.status == 0 && help.text == Usage.help + "\n" && help.error == "")
    #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let wrong = try Program.run(["--stor"], program: daemon, in: folder)
    #expect(wrong.status == 64 && wrong.text == "")
    #expect(wrong.error.hasPrefix("Error: Unknown option '--stor'. Did you mean '--store'?\n"))
    let missing = try Program.run(
      ["--check", "--config", "none.toml"], program: daemon, in: folder)
    #expect(missing.status == 78 && missing.error.hasPrefix("touchgridd: none.toml: "))
  }

  @Test func `Important keys of the configuration are in its man page`() throws {
    let page = try text("man/man5/touchgridd.toml.5")
    for key in ["path", "checkpoint", "idle_timeout", "late_names", "block_size", "seat"] {
      #expect(page.contains("\\fB\(key)\\fR = "), "\(key)")
    }
    #expect(page.contains("\n.SS [store]\n") && page.contains("\n.SS [[device]]\n"))
  }
}
