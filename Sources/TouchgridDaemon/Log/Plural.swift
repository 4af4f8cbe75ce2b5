/// A number with its noun in the right form, such as "1 touch" or "2 touches".
func plural(_ number: some BinaryInteger, _ many: String, one: String) -> String {
  "\(number) \(number == 1 ? one : many)"
}
