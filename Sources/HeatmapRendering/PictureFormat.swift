/// The kinds of picture that are drawn.
public enum PictureFormat: String, CaseIterable, Sendable {
  case png, svg, pdf
}
