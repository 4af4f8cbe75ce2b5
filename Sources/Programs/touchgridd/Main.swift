import TouchgridDaemon

@main enum Main {
  static func main() { DaemonProgram.main() }
}
