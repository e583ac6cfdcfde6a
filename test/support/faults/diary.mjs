// Loaded into the server with --import: prints its disk operations and responses, in order.
import files from 'node:fs'
import fs from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

const paths = new WeakMap()
const note = (what, ...names) => process.stderr.write(`diary: ${[what, ...names].join(' ')}\n`)

const { open } = fs
const { renameSync } = files
fs.open = async (path, ...rest) => {
  const file = await open(path, ...rest)
  paths.set(file, basename(String(path)))
  return file
}
files.renameSync = (from, to) => {
  renameSync(from, to)
  note('renamed', basename(from), basename(to))
}
syncBuiltinESMExports()

const probe = await open(process.execPath)
const methods = Object.getPrototypeOf(probe)
await probe.close()
const { sync: toDisk } = methods
methods.sync = async function synced() {
  await toDisk.call(this)
  note('synced', paths.get(this))
}

const { end } = ServerResponse.prototype
ServerResponse.prototype.end = function answered(...args) {
  note('answered', this.statusCode)
  return end.apply(this, args)
}
