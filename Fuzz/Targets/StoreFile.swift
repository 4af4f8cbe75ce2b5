/// Fuzzes the file of a damaged store. It is opened and used in one of four ways
/// (`ScratchStore.use`).
///
/// The first byte chooses the way, and the damage (`ScratchStore.damage`).
func fuzzStoreFile(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let scratch = ScratchStore()
  let how = scratch.damage(&source)
  scratch.use(how >> 5)
  scratch.remove()
}
