/// The version of Touchgrid (semver.org).
public let touchgridVersion = "0.2.0"
