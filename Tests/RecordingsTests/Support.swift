import TouchModel

@testable import Recordings

/// Parses a recording from a string. Throws an error if the text contains only events, because
/// there is no file that describes the device.
func parse(_ text: String, path: String = "test") throws(RecordingError) -> [Recording] {
  try parse(Array(text.utf8), path: path)
}

func parse(_ bytes: [UInt8], path: String = "test") throws(RecordingError) -> [Recording] {
  try Recording.parseAll(bytes, path: path) { () throws(RecordingError) in
    throw RecordingError(path: path, problem: .noDescription(lookedFor: []))
  }
}

/// Returns the message of the error that reading `text` throws; nil if it throws none.
func message(_ text: String) -> String? {
  do {
    _ = try parse(text)
    return nil
  } catch {
    return error.description
  }
}

/// The description of a two-finger panel, as evemu 1.3 writes it.
let evemuHeader = """
  # EVEMU 1.3
  # Kernel: 6.1.0
  # Input device name: "Panel"
  # Supported events:
  #   Event type 0 (EV_SYN)
  #     Event code 0 (SYN_REPORT)
  #   Event type 1 (EV_KEY)
  #     Event code 330 (BTN_TOUCH)
  #   Event type 3 (EV_ABS)
  #     Event code 47 (ABS_MT_SLOT)
  #       Value        1
  #       Min          0
  #     Event code 53 (ABS_MT_POSITION_X)
  #       Value      -17
  N: Panel  with blanks\u{20}
  I: 0018 04f3 2A00 0100
  P: 02 00 00 00 00 00 00 00
  B: 00 0b 00 10 00 00 00 00 00
  B: 01 00 00 00 00 00 00 00 00
  B: 01 00 00 00 00 00 00 00 00
  B: 01 00 00 00 00 00 00 00 00
  B: 01 00 00 00 00 00 00 00 00
  B: 01 00 00 00 00 00 00 00 00
  B: 01 00 04 00 00 00 00 00 00
  B: 02 00 00 00 00 00 00 00 00
  B: 03 00 00 00 00 00 80 60 02
  A: 2f 0 1 0 0 0
  A: 35 -100 4095 4 2 20
  A: 36 0 4095 0 0 32
  A: 39 0 65535 0 0 0
  L: 00 1
  S: 01 0

  """

/// Two devices, as `libinput record` 1.22 writes them.
let libinputText = """
  # libinput record
  version: 1
  ndevices: 2
  libinput:
    version: "1.22.1"
    git: "unknown"
  system:
    os: "debian:12"
    kernel: "6.1.0"
    dmi: "dmi:bvn:version: 7"
  devices:
  - node: /dev/input/event6
    evdev:
      # Name: Glass "23"
      # ID: bus 0x18 vendor 0x4f3 product 0x2a00 version 0x100
      # Supported Events:
      # Event type 0 (EV_SYN)
      # Event type 3 (EV_ABS)
      #   Event code 47 (ABS_MT_SLOT)
      #       Value           1
      #       Min             0
      name: "Glass "23""
      id: [24, 1267, 10752, 256]
      codes:
        0: [0, 1, 2, 3] # EV_SYN
        1: [330] # EV_KEY
        3: [47, 53, 54, 57] # EV_ABS
        20: [0, 1] # EV_REP
      absinfo:
        47: [0, 9, 0, 0, 0]
        53: [-5, 4095, 1, 2, 20]
        54: [0, 4095, 0, 0, 32]
        57: [0, 65535, 0, 0, 0]
      properties: [1]
    hid: [
      0x05, 0x0d, 0x09, 0x04,
      0xa1, 0x01
    ]
    udev:
      properties:
      - ID_INPUT=1
      - ID_INPUT_TOUCHSCREEN=1
    quirks:
    events:
    # Current time is 14:51:15
    - evdev:
      - [  0,      0,   3,  57,    2194] # EV_ABS / ABS_MT_TRACKING_ID     2194
      - [  0,      0,   3,  53,     206] # EV_ABS / ABS_MT_POSITION_X       206 (-942)
      - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
      libinput:
      - {time: 0.000000, type: TOUCH_DOWN, slot: 0, seat_slot: 0}
    - hid:
      time: [  0,      9]
      hidraw0: [
        0x01, 0x02
      ]
    # touchgrid-screen 0.5 menu
    - evdev:
      - [  1, 142438,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID       -1
      - [  1, 142438,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +1077ms
                                         # Touch device in neutral state
  # Closing after 2s inactivity- node: /dev/input/event7
    evdev:
      name: "Second
  line"
      id: [3, 1, 2, 3]
      codes:
        1: [30] # EV_KEY
      properties: []
    quirks:
    events:
    - evdev:
      - [18446744073709, 551615,   1,  30,       1] # EV_KEY / KEY_A                 1
      - [  0,      2,   0,   3,       0] # ------------ SYN_DROPPED (0) ---------- +0ms

  """
