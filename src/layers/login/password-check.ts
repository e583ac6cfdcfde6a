import { createRequire } from 'node:module'
import { constantTimeEqual } from '../../http/constant-time.ts'
import { JobThread, makeThread } from '../../work/job-thread.ts'

/** Beyond 2^14 rounds, a single login would keep a CPU busy for seconds: treated as no match. */
const COMPARABLE = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

/** The cost of new hashes: 2^10 rounds. A comparison takes about a tenth of a second. */
export const NEW_COST = 10

/** Jobs that may queue. A typical hash takes about a tenth of a second. */
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
  /** Compared with as well, to take longer. */
  readonly padding?: readonly string[]
  readonly rounds?: number
}

let thread: JobThread<Job, boolean | string> | undefined

/** In a thread, since bcrypt is slow by design. */
function run(job: Job, isWanted: () => boolean): Promise<boolean | string> {
  thread ??= new JobThread({
    makeThread: () => makeThread(PROGRAM, { workerData: createRequire(import.meta.url).resolve('bcryptjs') }),
    most: MOST_WAITING,
    limit: () => LIMIT,
  })
  return thread.run(job, isWanted)
}

/** `padding`: hashes to compare with as well, so that it takes longer. */
export async function matchesHash(
  password: string,
  hash: string,
  isWanted: () => boolean,
  padding: readonly string[] = [],
): Promise<boolean> {
  return isComparable(hash) && (await run({ password, hash, padding }, isWanted)) === true
}

export async function hashPassword(password: string, isWanted: () => boolean = () => true): Promise<string> {
  return String(await run({ password, rounds: NEW_COST }, isWanted))
}

/** Whether it is a hash that passwords are compared with: neither broken, nor of too many rounds. */
function isComparable(password: string): boolean {
  return COMPARABLE.test(password)
}

/** Deliberately loose, so that a broken hash is never taken for a plain password that anyone could read and send. */
export function isHash(password: string): boolean {
  return /^\$2[abxy]?\$/.test(password)
}

/** How long a comparison with a bcrypt hash takes: each step up takes twice as long. Undefined if it is no such hash. */
export function costOf(stored: unknown): number | undefined {
  return typeof stored === 'string' && isComparable(stored) ? Number(stored.slice(4, 6)) : undefined
}

export function highestCost(passwords: Iterable<unknown>): number | undefined {
  let highest: number | undefined
  for (const stored of passwords) {
    const cost = costOf(stored)
    if (cost !== undefined && cost > (highest ?? 0)) highest = cost
  }
  return highest
}

/** A hash of this cost that nobody knows the password of. */
function decoyOf(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$D.QaYL5gQaIDq59YJ5yHC.r18FDPbCCdi6q17RQ1uVWPEZbp/4rFq`
}

/** Hashes that take, together with one of the lower cost, as long as one of the higher: 2^4 + 2^4 + 2^5 is 2^6. */
function paddingOf(lower: number, higher: number): readonly string[] {
  return Array.from({ length: Math.max(0, higher - lower) }, (_, at) => decoyOf(lower + at))
}

/** Whether it is the stored password: plain, a hash, or empty for no user. Takes as long as a hash of `cost`. */
export async function isPassword(
  password: string,
  stored: string,
  isWanted: () => boolean,
  cost?: number,
): Promise<boolean> {
  const own = costOf(stored)
  const hash = own === undefined ? cost !== undefined && decoyOf(cost) : stored
  const padding = own === undefined || cost === undefined ? [] : paddingOf(own, cost)
  const isOfHash = hash && (await matchesHash(password, hash, isWanted, padding))
  const isPlain = constantTimeEqual(password, stored)
  return isHash(stored) ? own !== undefined && isOfHash === true : isPlain
}
