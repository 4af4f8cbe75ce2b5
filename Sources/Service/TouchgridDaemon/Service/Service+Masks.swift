internal import TouchModel
internal import TouchgridAPI
internal import Varlink

extension Service {
  /// Applies the masks of the configuration and of clients.
  /// - Parameter moment: the time at which they take effect; nil: as if they had always been in
  ///   force.
  func applyMasks(at moment: Moment?) {
    capture.setMasks(configuredMasks + addedMasks, at: moment)
    if let moment { forgetKeptFollowers(at: moment) }
  }

  func addMask(
    _ wish: API.AddMask, _: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.NoReply? {
    let mask = try checked(wish.mask)
    guard !addedMasks.contains(mask) else { return API.NoReply() }
    guard addedMasks.count < Masks.shareLimit else {
      throw API.LimitReached(
        "masks", limit: Masks.shareLimit, hint: "remove one, or mask a whole screen"
      ).varlinkError
    }
    // Frames from before this moment are sent before the mask takes effect.
    _ = publish(at: moment)
    addedMasks.append(mask)
    applyMasks(at: moment)
    return API.NoReply()
  }

  func removeMask(
    _ wish: API.RemoveMask, _: Call, _ moment: Moment
  ) throws(VarlinkError) -> API.NoReply? {
    let mask = try checked(wish.mask)
    guard let index = addedMasks.firstIndex(of: mask) else {
      throw API.NoSuchMask().varlinkError
    }
    addedMasks.remove(at: index)
    applyMasks(at: moment)
    return API.NoReply()
  }

  private func checked(_ mask: API.Mask) throws(VarlinkError) -> Mask {
    let screen = try name(mask.screen, "mask.screen")
    let display = try mask.display.map { text throws(VarlinkError) in
      try name(text, "mask.display")
    }
    guard let rectangle = mask.rectangle else { return Mask(screen: screen, display: display) }
    guard let area = rectangle.rectangle else {
      throw invalid(
        "mask.rectangle",
        "\(rectangle.x),\(rectangle.y),\(rectangle.width),\(rectangle.height)",
        "must have a width and a height above 0")
    }
    return Mask(screen: screen, display: display, rectangle: area)
  }
}

extension API.Mask {
  init(_ mask: Mask) {
    self.init(
      screen: mask.screen, display: mask.display,
      rectangle: mask.rectangle.map { API.Rectangle($0) })
  }
}
