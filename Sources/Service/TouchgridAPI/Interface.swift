package import Varlink

extension InterfaceDescription {
  /// The text of `io.touchgrid.varlink`: every method, type and error, and their units.
  package static let touchgrid = InterfaceDescription(
    name: "io.touchgrid",
    text: String(decoding: PackageResources.io_touchgrid_varlink, as: UTF8.self))
}
