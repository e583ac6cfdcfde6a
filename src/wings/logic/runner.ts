import type { CommitMeta } from '../../core/engine/data/store.ts'
import type { Engine } from '../../core/engine/engine.ts'
import type { DataAccess } from '../../core/engine/hooks.ts'
import type { Access } from '../../core/engine/rules/rights.ts'
import { type Clock, readDuration } from '../../core/kernel/util/clock.ts'
import { inTime } from '../../core/kernel/util/in-time.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { Turns } from '../../core/kernel/util/turns.ts'
import type { PasswordHasher } from '../../core/router/context.ts'
import { RequestError } from '../../core/router/request-error.ts'
import type { Scheduling, Tools, User } from './define.ts'
import { copyOf, openDb } from './open-db.ts'
import { inRun, namedLater, newRun, stackOf } from './running.ts'

export interface RunnerOptions {
  readonly engine: Engine
  readonly clock: Clock
  /** Milliseconds that a function may take. */
  readonly timeout: number
  readonly cascade: boolean
  readonly readOnly: boolean
  /** The collection of users, where there are accounts. */
  readonly accounts: string | undefined
  readonly seal: PasswordHasher | undefined
  readonly report: (line: string) => void
}

/** Who causes something: a request, or a function that a request caused. */
export interface Client {
  readonly access?: Access | undefined
  readonly user?: User | undefined
  readonly meta?: CommitMeta | undefined
  /** How many hooks led here. */
  readonly depth: number
  /** The time that a function was planned for, which the clock may have been moved past. */
  readonly now?: string
}

/** A hook whose writes lead to itself would never end. */
const DEEPEST = 10

function checkDepth({ depth }: Client): void {
  if (depth > DEEPEST) throw new Error(`Hooks led to each other more than ${DEEPEST} times.`)
}

interface Planned {
  readonly ms: number
  readonly act: (tools: Scheduling) => unknown
  /** The number of resets when it was planned: a later reset drops it. */
  readonly resets: number
}

/** Runs functions of the user's on one engine: each in a transaction, for a limited time, by the server's clock. */
export class Runner {
  readonly #options: () => RunnerOptions
  readonly #planned = new Set<() => void>()
  readonly #turns = new Turns()
  #isClosed = false

  /** @param options read each time: a reload may change them */
  constructor(options: () => RunnerOptions) {
    this.#options = options
  }

  /** All writes of `work` are one commit. If it fails, nothing was changed. */
  async run<T>(client: Client, work: (tools: Scheduling) => Promise<T> | T): Promise<T> {
    const { engine, timeout } = this.#options()
    const deadline = performance.now() + timeout
    let planned: Planned[] = []
    const inTransaction = async (data: DataAccess) => {
      const plan: Planned[] = []
      planned = plan
      const { resets } = engine
      const later: Scheduling['later'] = (after, act) =>
        plan.push({ ms: readDuration(after), act: namedLater(act), resets })
      return this.runIn(data, client, (tools) => work({ ...tools, later }), deadline)
    }
    const { meta, access } = client
    const outcome = await engine.transact(inTransaction, { meta, by: client, access })
    for (const each of planned) this.#plan(client, each)
    return outcome
  }

  /** Drops what is still to run, and plans nothing more. */
  close(): void {
    this.#isClosed = true
    for (const cancel of this.#planned) cancel()
    this.#planned.clear()
  }

  report(what: string, error: unknown): void {
    const why = stackOf(error)
    const said = `${what} failed: `
    this.#options().report(why.startsWith(said) ? why : said + why)
  }

  /** Runs `work` as a part of a transaction. */
  async runIn<T>(
    data: DataAccess,
    client: Client,
    work: (tools: Tools) => Promise<T> | T,
    deadline = performance.now() + this.#options().timeout,
  ): Promise<T> {
    checkDepth(client)
    const { engine, clock, cascade, ...own } = this.#options()
    const dependents = cascade ? 'all' : []
    const pace = new TimeSlice()
    const db = openDb({
      ...own,
      data,
      naming: engine.naming,
      access: client.access,
      by: client,
      dependents,
      pace,
    })
    const tools = { db, user: await this.#userOf(client, data), now: client.now ?? clock.iso() }
    const run = async () => {
      const result = await work(tools)
      // What it begins without waiting for it belongs to it, too.
      await data.idle()
      return result
    }
    return this.#inTime(run, deadline)
  }

  /** With accounts, the row; its role is that of the login, since the row may have none. */
  async #userOf({ access, user }: Client, data: DataAccess): Promise<User | undefined> {
    const { accounts: collection } = this.#options()
    if (access?.user === undefined || collection === undefined) return user
    const { found } = await data.read({ kind: 'item', collection, id: access.user })
    return { ...user, ...copyOf(found) }
  }

  #plan(client: Client, { ms, act, resets }: Planned): void {
    const { clock, engine } = this.#options()
    const isOver = () => this.#isClosed || engine.resets !== resets
    if (isOver()) return
    const time = clock.now() + Math.max(1, ms)
    // Time has passed: this is no endless loop. The server may end meanwhile, or be reset: then it must not write.
    const unlessOver = async (tools: Scheduling) => {
      if (!isOver()) await act(tools)
      if (isOver()) throw new Error('The server ended, or was reset. Nothing was changed.')
    }
    const run = () =>
      this.run({ ...client, depth: 0, now: new Date(time).toISOString() }, unlessOver).catch(
        (error: unknown) => {
          if (!isOver()) this.report('A function given to later', error)
        },
      )
    const begin = (isMoved: boolean) => {
      this.#planned.delete(cancel)
      // Where the clock was moved past several, one after the other, as time would have it.
      return isMoved ? this.#turns.take(run) : run()
    }
    // What is due already runs immediately, before there is anything to cancel.
    let cancel = () => {}
    cancel = clock.at(time, begin)
    this.#planned.add(cancel)
  }

  async #inTime<T>(work: () => Promise<T>, deadline: number): Promise<T> {
    const { timeout } = this.#options()
    const run = newRun()
    const tooLate = () => {
      const message = `${run.name} took longer than ${timeout / 1000} s (logicTimeout) and was cut off. Nothing was changed.`
      return new RequestError('LOGIC_TIMEOUT', message)
    }
    // A timer cannot interrupt a function that never waits.
    const checked = async () => {
      const result = await inRun(run, work)
      if (performance.now() > deadline) throw tooLate()
      return result
    }
    return inTime(checked(), Math.max(0, deadline - performance.now()), tooLate)
  }
}
