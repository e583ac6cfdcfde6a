// Loaded into the server with --import: it kills itself right before the rename of that number onto a data file.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { renameSync } = fs
let left = Number(process.env.DIE_AT)

fs.renameSync = (from, to) => {
  // Kept compiled code is renamed, too, after the first start of a build.
  if (from.endsWith('.tmp') && --left < 0) process.kill(process.pid, 'SIGKILL')
  renameSync(from, to)
}
syncBuiltinESMExports()
