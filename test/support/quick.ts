import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, expect } from 'vitest'
import { cpuTime } from './cpu-time.ts'

/** Milliseconds of computing that a file of `npm test` may take. Waiting for a core is not counted. */
const LIMIT = 5000
/** Milliseconds that `slowness` computes on a machine with nothing else to do. */
const USUAL = 160

const STARTERS = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const
const SLOW = 'rename the file to *.slow.test.ts, which `npm run test:all` runs.'

for (const name of STARTERS) {
  const refuse = () => {
    throw new Error(`A test of \`npm test\` starts no process: ${SLOW}`)
  }
  Object.assign(childProcess, { [name]: refuse })
}
syncBuiltinESMExports()

const before = cpuTime()

afterAll(() => {
  const took = cpuTime() - before
  if (took < LIMIT || took < LIMIT * slowness()) return
  expect.fail(
    `Too long for \`npm test\` (${Math.round(took)} ms): split the file, make it cheaper, or ${SLOW}`,
  )
})

/** A virtual machine that shares its cores with others computes several times as long. */
function slowness(): number {
  const start = cpuTime()
  let sum = 0
  for (let count = 0; count < 1e8; count++) sum = (Math.imul(sum, 31) + count) | 0
  return (cpuTime() - start + sum * 0) / USUAL
}
