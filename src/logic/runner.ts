import type { RouterContext } from '../router/context.ts'
import { RequestError } from '../router/request-error.ts'
import type { CommitMeta } from '../storage/change.ts'
import type { Engine } from '../storage/engine/engine.ts'
import type { DataAccess } from '../storage/hooks.ts'
import type { Access } from '../storage/rules/rights.ts'
import { type Clock, readDuration } from '../util/clock.ts'
import type { Scheduling, Tools, User } from './define.ts'
import { copyOf, openDb } from './open-db.ts'
import { inRun, namedLater, newRun } from './running.ts'

export interface RunnerOptions {
  readonly engine: Engine
  readonly clock: Clock
  /** Milliseconds that a function may take. */
  readonly timeout: number
  readonly cascade: boolean
  readonly readOnly: boolean
  /** The collection of users, where there are accounts. */
  readonly accounts: string | undefined
  readonly report: (line: string) => void
}

/** Who causes something: a request, or a function that a request caused. */
export interface Client {
  readonly access?: Access | undefined
  readonly user?: User | undefined
  readonly meta?: CommitMeta | undefined
  readonly seal?: RouterContext['seal']
  /** How many hooks led here. */
  readonly depth: number
}

/** A hook whose writes lead to itself would never end. */
const DEEPEST = 10

function checkDepth({ depth }: Client): void {
  if (depth > DEEPEST) throw new Error(`Hooks led to each other more than ${DEEPEST} times.`)
}

type Planned = readonly [ms: number, act: (tools: Scheduling) => unknown]

/** Runs functions of the user's on one engine: each in a transaction, for a limited time, by the server's clock. */
export class Runner {
  readonly #options: () => RunnerOptions
  readonly #planned = new Set<() => void>()
  #isClosed = false

  /** @param options read each time: a reload may change them */
  constructor(options: () => RunnerOptions) {
    this.#options = options
  }

  /** All writes of `work` are one commit. If it fails, nothing was changed. */
  async run<T>(client: Client, work: (tools: Scheduling) => Promise<T> | T): Promise<T> {
    const { engine, timeout } = this.#options()
    const deadline = performance.now() + timeout
    checkDepth(client)
    let planned: Planned[] = []
    const inTransaction = async (data: DataAccess) => {
      const plan: Planned[] = []
      planned = plan
      const tools = await this.#tools(client, data)
      const later: Scheduling['later'] = (after, act) => plan.push([readDuration(after), namedLater(act)])
      return this.#inTime(async () => work({ ...tools, later }), deadline)
    }
    const { meta, access } = client
    const outcome = await engine.transact(inTransaction, { meta, by: client, ...(access && { access }) })
    for (const each of planned) this.#plan(client, each)
    return outcome
  }

  /** Runs `work` inside of another transaction. */
  async runInside<T>(client: Client, data: DataAccess, work: (tools: Tools) => Promise<T> | T): Promise<T> {
    checkDepth(client)
    const tools = await this.#tools(client, data)
    return this.#inTime(async () => work(tools), performance.now() + this.#options().timeout)
  }

  /** Drops what is still to run, and plans nothing more. */
  close(): void {
    this.#isClosed = true
    for (const cancel of this.#planned) cancel()
    this.#planned.clear()
  }

  report(what: string, error: unknown): void {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const said = `${what} failed: `
    this.#options().report(why.startsWith(said) ? why : said + why)
  }

  async #tools(client: Client, data: DataAccess): Promise<Tools> {
    const { clock, cascade, readOnly } = this.#options()
    const { access, seal } = client
    const dependents = cascade ? 'all' : []
    return {
      db: openDb({ data, access, by: client, dependents, readOnly, seal }),
      user: client.user ?? (await this.#userOf(access, data)),
      now: clock.iso(),
    }
  }

  async #userOf(access: Access | undefined, data: DataAccess): Promise<User | undefined> {
    const { accounts: collection } = this.#options()
    if (access?.user === undefined || collection === undefined) return undefined
    return copyOf((await data.read({ kind: 'item', collection, id: access.user })).found)
  }

  #plan(client: Client, [ms, act]: Planned): void {
    if (this.#isClosed) return
    const { clock } = this.#options()
    const run = async () => {
      this.#planned.delete(cancel)
      await this.run(client, act).catch((error: unknown) => this.report('A function given to later', error))
    }
    // What is due already runs immediately, before there is anything to cancel.
    let cancel = () => {}
    cancel = clock.at(clock.now() + Math.max(1, ms), run)
    this.#planned.add(cancel)
  }

  async #inTime<T>(work: () => Promise<T>, deadline: number): Promise<T> {
    const { timeout } = this.#options()
    const run = newRun()
    const tooLate = () => {
      const message = `${run.name} took longer than ${timeout / 1000} s (logicTimeout) and was cut off. Nothing was changed.`
      return new RequestError('LOGIC_TIMEOUT', message)
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate()), Math.max(0, deadline - performance.now()))
    })
    // A timer cannot interrupt a function that never waits.
    const inTime = async () => {
      const result = await inRun(run, work)
      if (performance.now() > deadline) throw tooLate()
      return result
    }
    return Promise.race([inTime(), late]).finally(() => clearTimeout(timer))
  }
}
