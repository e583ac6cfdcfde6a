import childProcess from 'node:child_process'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, expect } from 'vitest'
import { cpuTime } from './cpu-time.ts'

/** Milliseconds that a file of `npm test` may take. */
const LIMIT = 5000

const STARTERS = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const
const SLOW = 'Rename the file to *.slow.test.ts: `npm run test:all` runs those.'

for (const name of STARTERS) {
  const refuse = () => {
    throw new Error(`A test of \`npm test\` starts no process. ${SLOW}`)
  }
  Object.assign(childProcess, { [name]: refuse })
}
syncBuiltinESMExports()

const before = { waited: waitedForCore(), elapsed: performance.now(), computed: cpuTime() }

afterAll(() => {
  const own = performance.now() - before.elapsed - (waitedForCore() - before.waited)
  // Where the system does not say how long this process waited for a core, others would be counted.
  const took = Number.isNaN(own) ? cpuTime() - before.computed : own
  expect(took, `Milliseconds of a file of \`npm test\`. Split it, or make it cheaper. ${SLOW}`).toBeLessThan(
    LIMIT,
  )
})

/** Milliseconds in which the machine was busy with other work, where Linux counts them. */
function waitedForCore(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return Number.NaN
  }
}
