/// The file of a store that somebody or something has damaged: opened, and asked and checked, recorded to, kept house
/// in, or forgotten.
///
/// The first byte says which, and how it is damaged: see `ScratchStore.damage`.
func fuzzStoreFile(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let scratch = ScratchStore()
  let how = scratch.damage(&source)
  scratch.use(how >> 5)
  scratch.remove()
}
