import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, expect } from 'vitest'
import { cpuTime } from './cpu-time.ts'

/**
 * Milliseconds of computing after which a file of `npm test` fails. It should take 5 s, and waiting for a core is not
 * counted; but two threads of one core, and caches that others fill, more than double it on a busy machine.
 */
const LIMIT = 12_500
/** Milliseconds that one look at the slowness takes on a machine with nothing else to do. */
const USUAL = 1.6

const STARTERS = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const
const SLOW = 'rename the file to *.slow.test.ts, which `npm run test:all` runs.'

for (const name of STARTERS) {
  const refuse = () => {
    throw new Error(`A test of \`npm test\` starts no process: ${SLOW}`)
  }
  Object.assign(childProcess, { [name]: refuse })
}
syncBuiltinESMExports()

/** A virtual machine whose cores are also others' computes several times as long: looked at again and again. */
const slowness: number[] = []
lookAtSlowness() // The first one compiles it.
const looks = setInterval(() => slowness.push(lookAtSlowness()), 200)
looks.unref()
const before = cpuTime()

afterAll(() => {
  clearInterval(looks)
  slowness.push(lookAtSlowness())
  const worst = slowness.sort((a, b) => a - b)[Math.floor(slowness.length * 0.9)] ?? 1
  const took = Math.round((cpuTime() - before) / Math.max(1, worst))
  const advice = `split the file, make it cheaper, or ${SLOW}`
  expect(took, `Milliseconds are too many for \`npm test\`: ${advice}`).toBeLessThan(LIMIT)
})

function lookAtSlowness(): number {
  const start = cpuTime()
  let sum = 0
  for (let count = 0; count < 1e6; count++) sum = (Math.imul(sum, 31) + count) | 0
  return (cpuTime() - start + sum * 0) / USUAL
}
