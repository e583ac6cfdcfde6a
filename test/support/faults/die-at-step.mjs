// Loaded into the server with --import: it kills itself right before a step on files of the data, by its number.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { promises } = fs
let left = Number(process.env.DIE_AT)

function step() {
  if (--left < 0) process.kill(process.pid, 'SIGKILL')
}

function count(object, name) {
  const own = object[name]
  object[name] = function (...args) {
    // Compiled code is kept elsewhere.
    if (typeof args[0] !== 'string' || args[0].includes(process.env.DIE_IN)) step()
    return Reflect.apply(own, this, args)
  }
}

for (const name of ['open', 'rename', 'unlink', 'writeFile', 'mkdir']) count(promises, name)
for (const name of ['renameSync', 'unlinkSync', 'writeFileSync', 'mkdirSync']) count(fs, name)
const handle = await promises.open(process.execPath)
const prototype = Object.getPrototypeOf(handle)
await handle.close()
for (const name of ['appendFile', 'write', 'writev', 'sync', 'close']) count(prototype, name)
syncBuiltinESMExports()
