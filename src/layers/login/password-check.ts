import { createRequire } from 'node:module'
import { JobThread, makeThread } from '../../work/job-thread.ts'

/** Beyond 2^14 rounds, a single login would keep a CPU busy for seconds: treated as no match. */
const COMPARABLE = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/** Logins that may queue. A typical hash takes about a tenth of a second. */
const MOST_WAITING = 200

/** Milliseconds that one may take. The slowest hash takes two seconds, unless the machine has a lot to do. */
const LIMIT = 30_000

const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { compareSync } = require(workerData)
  parentPort.on('message', ({ password, hash }) => parentPort.postMessage(compareSync(password, hash)))
  parentPort.postMessage('ready')
`

let thread: JobThread<{ password: string; hash: string }, boolean> | undefined

/**
 * Whether a bcrypt hash matches this password. Computed in a thread, since bcrypt is slow by design.
 * @param isWanted whether the client is still waiting
 */
export async function matchesHash(password: string, hash: string, isWanted: () => boolean): Promise<boolean> {
  if (!COMPARABLE.test(hash)) return false
  thread ??= new JobThread({
    makeThread: () => makeThread(PROGRAM, { workerData: createRequire(import.meta.url).resolve('bcryptjs') }),
    most: MOST_WAITING,
    limit: () => LIMIT,
  })
  return thread.run({ password, hash }, isWanted)
}
