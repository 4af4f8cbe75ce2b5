/// The text of `--help`. `scripts/generate` makes the man page and the completions from it.
enum Usage {
  static let synopsis = """
    touchgridd [--config <file>] [--store <file>] [--socket <path>]
                      [--check [--json]] [--replay <recording> ...] [--pace <pace>]
    """

  static let help = """
    OVERVIEW: Records where fingers touch the screen.

    Finds the touchscreens, counts touches in blocks for each screen of the app,
    and writes the counts to the store. It only reads devices: it never grabs a
    device and never writes to one. SIGTERM and SIGINT end the session and write
    it. SIGHUP reloads the configuration; if the new one is invalid, the old one
    remains in force.

    Exit status: 0 success; 1 failure; 64 usage error; 65 the file is not a store,
    or is of another version; 78 invalid configuration.

    USAGE: \(synopsis)

    OPTIONS:
      --config <file>         Configuration file. Default:
                              \(defaultConfigurationPath). While that does
                              not exist, every touch on a device is masked: it
                              is only counted. 'touchgrid setup' writes it.
      --store <file>          File of the store, instead of the configured one.
      --socket <path>         Socket for clients, instead of the configured one.
                              A replay has a socket only with this option, and
                              then needs --pace recorded.
      --check                 Check the configuration, explain it, and exit.
      --json                  With --check: print the masks of a valid configuration
                              as JSON.
      --replay <recording> ...
                              Play recordings (evemu, libinput record) instead of
                              reading devices, end the session and exit.
      --pace <pace>           How to replay, without pauses or at the recorded
                              speed: fast, recorded. (default: fast)
      --version               Show the version.
      -h, --help              Show help information.
    """
}
