import Storage
import TouchModel
import TouchgridAPI

extension Past {
  func days(in span: TimeSpan) throws -> [API.Day] { API.Day.days(of: try heads(in: span, tags: [:])) }
}
