import TouchgridDaemon

/// The text of `--help`. `scripts/generate` makes the man page and the completions from it.
enum Usage {
  static let synopsis = """
    touchgridd [--config <file>] [--store <file>] [--socket <path>] [--check]
                      [--replay <recording> ...] [--pace <pace>]
    """

  static let help = """
    OVERVIEW: Records where fingers touch the screen.

    Finds the touchscreens, follows every finger, counts touches in blocks for each
    screen of the app and writes the counts when a session ends. It only listens:
    it never grabs a device and never writes to one. SIGTERM and SIGINT end the
    session and write it; SIGHUP reads the configuration again, and keeps the old
    one where the new is wrong.

    Exit status: 0 all is well; 1 something failed; 64 wrong usage; 65 the file is
    no store, or one of a newer version; 78 wrong configuration.

    USAGE: \(synopsis)

    OPTIONS:
      --config <file>         Configuration file. Default:
                              \(defaultConfigurationPath) if it is there, else
                              the defaults.
      --store <file>          Database, in place of the configured one.
      --socket <path>         Where clients connect, in place of the configured
                              path; with --replay only at the recorded pace.
      --check                 Check the configuration, say what it means, and exit.
      --replay <recording> ...
                              Play recordings (evemu, libinput record) instead of
                              reading devices, end the session and exit.
      --pace <pace>           How fast to replay: fast, recorded. (default: fast)
      --version               Show the version.
      -h, --help              Show help information.
    """
}
