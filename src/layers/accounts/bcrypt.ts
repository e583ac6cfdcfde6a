import { createRequire } from 'node:module'
import { JobThread, makeThread } from '../../util/job-thread.ts'

const require = createRequire(import.meta.url)

/** Beyond 2^14 rounds, a single login would keep a CPU busy for seconds: treated as no match. */
const COMPARABLE = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/** The cost of new hashes: 2^10 rounds. A comparison takes about a tenth of a second. */
export const NEW_COST = 10

const MOST_WAITING = 200

/** Milliseconds that one may take. The slowest hash takes two seconds, unless the machine has a lot to do. */
const LIMIT = 30_000

const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { compareSync, hashSync } = require(workerData)
  parentPort.on('message', ({ password, hash, padding, rounds }) => {
    const result = hash === undefined ? hashSync(password, rounds) : compareSync(password, hash)
    for (const other of padding ?? []) compareSync(password, other)
    parentPort.postMessage(result)
  })
  parentPort.postMessage('ready')
`

interface Job {
  readonly password: string
  /** Without it, one is made. */
  readonly hash?: string
  /** Compared with as well, so that it takes longer. */
  readonly padding?: readonly string[]
  readonly rounds?: number
}

let thread: JobThread<Job, boolean | string> | undefined

/** In a thread, since bcrypt is slow by design. */
function run(job: Job, isWanted: () => boolean): Promise<boolean | string> {
  thread ??= new JobThread({
    makeThread: () => makeThread(PROGRAM, { workerData: require.resolve('bcryptjs') }),
    most: MOST_WAITING,
    limit: () => LIMIT,
  })
  return thread.run(job, isWanted)
}

export async function matchesHash(
  password: string,
  hash: string,
  isWanted: () => boolean,
  padding: readonly string[] = [],
): Promise<boolean> {
  return isComparable(hash) && (await run({ password, hash, padding }, isWanted)) === true
}

export async function hashPassword(password: string, isWanted: () => boolean): Promise<string> {
  return String(await run({ password, rounds: NEW_COST }, isWanted))
}

/** Whether it is a hash that passwords are compared with: neither broken, nor of too many rounds. */
export function isComparable(password: string): boolean {
  return COMPARABLE.test(password)
}

/** Deliberately loose, so that a broken hash is never taken for a plain password that anyone could read and send. */
export function isHash(password: string): boolean {
  return /^\$2[abxy]?\$/.test(password)
}
