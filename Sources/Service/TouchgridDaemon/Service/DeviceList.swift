internal import TouchModel
internal import TouchgridAPI

/// The devices that are read, as clients see them.
protocol DeviceList: AnyObject {
  var count: Int { get }
  func devices(at moment: Moment) -> [API.Device]
  var refused: [API.RefusedDevice] { get }
}
