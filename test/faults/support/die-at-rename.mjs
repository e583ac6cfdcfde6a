// Loaded into the server with --import: it kills itself right before the rename of that number onto a data file.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { renameSync } = fs
let left = Number(process.env.DIE_AT)

fs.renameSync = (from, to) => {
  if (--left < 0) process.kill(process.pid, 'SIGKILL')
  renameSync(from, to)
}
syncBuiltinESMExports()
