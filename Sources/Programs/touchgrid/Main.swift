import TouchgridCommands

@main enum Main {
  static func main() { TouchgridProgram.main() }
}
