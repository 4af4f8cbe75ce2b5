/// Fuzzes the file of a damaged store: it is opened, and then queried and checked, recorded to,
/// maintained, or its sessions are forgotten.
///
/// The first byte chooses which, and the damage: see `ScratchStore.damage`.
func fuzzStoreFile(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let scratch = ScratchStore()
  let how = scratch.damage(&source)
  scratch.use(how >> 5)
  scratch.remove()
}
