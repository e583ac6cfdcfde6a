import { createRequire } from 'node:module'
import type { Response } from 'express'
import { constantTimeEqual } from '../../kernel/http/constant-time.ts'
import { JobThread, makeThread } from '../../kernel/util/job-thread.ts'

/** The cost of new hashes: 2^10 rounds. A comparison takes about a tenth of a second. */
export const NEW_COST = 10

export const WRONG_PASSWORD = 'Email or password is wrong.'

/** The user, if it is their password. Without a user, it takes as long. */
export async function authenticate<User extends { readonly password: unknown }>(
  res: Response,
  user: User | undefined,
  password: string,
  cost: number | undefined,
): Promise<User | undefined> {
  const stored = String(user?.password ?? '')
  return (await isPassword(password, stored, () => !res.destroyed, cost)) ? user : undefined
}

/**
 * Whether it is the stored password, plain or a hash. Takes as long as the slowest hash of any user, of this `cost`.
 * @param stored empty if there is no such user: nothing matches it, since sent passwords are not empty
 */
export async function isPassword(
  password: string,
  stored: string,
  isWanted: () => boolean,
  cost?: number,
): Promise<boolean> {
  const own = costOf(stored)
  const hash = own === undefined ? cost !== undefined && decoyOf(cost) : stored
  // Together with one of the lower cost, these take as long as one of the higher: 2^4 + 2^4 + 2^5 is 2^6.
  const missing = own === undefined || cost === undefined ? 0 : Math.max(0, cost - own)
  const padding = Array.from({ length: missing }, (_, at) => decoyOf((own ?? 0) + at))
  const isOfHash = hash && (await run({ password, hash, padding }, isWanted)) === true
  const isPlain = constantTimeEqual(password, stored)
  return isHash(stored) ? own !== undefined && isOfHash === true : isPlain
}

export async function hashPassword(password: string, isWanted: () => boolean): Promise<string> {
  return String(await run({ password, rounds: NEW_COST }, isWanted))
}

/** Deliberately loose, so that a broken hash is never taken for a plain password that anyone could read and send. */
export function isHash(password: string): boolean {
  return /^\$2[abxy]?\$/.test(password)
}

/**
 * The cost of a bcrypt hash: with each step up, a comparison takes twice as long. Undefined if passwords are not compared
 * with it: it is no hash, a broken one, or one of too many rounds.
 */
export function costOf(stored: unknown): number | undefined {
  return typeof stored === 'string' && COMPARABLE.test(stored) ? Number(stored.slice(4, 6)) : undefined
}

/** Beyond 2^14 rounds, a single login would keep a CPU busy for seconds: treated as no match. */
const COMPARABLE = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/

export function highestCost(passwords: readonly unknown[]): number | undefined {
  return passwords.reduce<number>((highest, stored) => Math.max(highest, costOf(stored) ?? 0), 0) || undefined
}

function decoyOf(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$D.QaYL5gQaIDq59YJ5yHC.r18FDPbCCdi6q17RQ1uVWPEZbp/4rFq`
}

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

const require = createRequire(import.meta.url)

let thread: JobThread<Job, boolean | string> | undefined

/** In a thread, since bcrypt is slow by design. */
function run(job: Job, isWanted: () => boolean): Promise<boolean | string> {
  thread ??= new JobThread({
    makeThread: () => makeThread(PROGRAM, { workerData: require.resolve('bcryptjs') }),
    most: MOST_WAITING,
    limit: LIMIT,
  })
  return thread.run(job, isWanted)
}
