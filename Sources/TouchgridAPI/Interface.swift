public import Varlink

extension InterfaceDescription {
  /// `io.touchgrid`: every method, type, error and unit.
  public static let touchgrid = InterfaceDescription(
    name: "io.touchgrid",
    text: String(decoding: PackageResources.io_touchgrid_varlink, as: UTF8.self))
}
