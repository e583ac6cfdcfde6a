import { rename, writeFile } from 'node:fs/promises'
import type { Change, ChangeKind, OutcomeByKind, WriteOptions } from '../../../../src/storage/change.ts'
import type { Commit, SharedPast, SubscribeOptions } from '../../../../src/storage/commit.ts'
import type { Engine, ReadOptions } from '../../../../src/storage/engine.ts'
import { withHidden } from '../../../../src/storage/hidden/hidden-fields.ts'
import { isRow } from '../../../../src/storage/is-row.ts'
import { openPostgres, type PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import type { FoundByKind, Question, QuestionKind, Reading } from '../../../../src/storage/question.ts'
import type { Rules } from '../../../../src/storage/resource-rules.ts'
import type { Data, Naming } from '../../../../src/storage/types.ts'
import { freshAddress } from '../cluster.ts'
import { closeLent, lendEngine } from '../lent-engines.ts'

/** Where a test looks for what is stored: it finds there what the database has. */
export interface Kept {
  readonly file?: string | undefined
  readonly object?: object | undefined
  /** What time changes are made at. */
  readonly now?: (() => number) | undefined
}

/** Those that are open, least recently used first. */
const open = new Set<SwitchedEngine>()
/** Each has a few connections. A test that runs beside others may need its engine for as long as they do. */
const MOST_OPEN = 60

export async function closeAll(): Promise<void> {
  await Promise.all([...open].map((engine) => engine.close()))
  await closeLent()
}

/** Some tests look at a history from its start then, or go on with what an earlier one opened: each has a schema of its own. */
export const isEverythingRun = process.env.RESTABLE_ENGINE === 'postgres'

/** Tests that run now, and what was opened while one did. */
const running = new Set<string>()
const openedInTests = new Set<SwitchedEngine>()

export function beginTest(id: string): void {
  running.add(id)
}

/** Others can have what it opened, unless it ran beside others: then all can, once the last of them ends. */
export async function endTest(id: string): Promise<void> {
  running.delete(id)
  if (running.size > 0) return
  const over = [...openedInTests]
  openedInTests.clear()
  await Promise.all(over.map((engine) => engine.close()))
}

/** An engine with the data of another, in a schema of its own. */
export function switchEngine(local: Engine, kept: Kept): SwitchedEngine {
  const engine = new SwitchedEngine(local, kept)
  open.add(engine)
  if (running.size > 0 && !isEverythingRun) openedInTests.add(engine)
  const [oldest] = open
  if (open.size > MOST_OPEN) void oldest?.close()
  return engine
}

/**
 * The engine of a database as tests of files and objects know theirs: there as soon as it is made, which `router()` needs,
 * and seen by who looks at the file or object.
 */
export class SwitchedEngine implements Engine {
  readonly isRemote = true
  readonly naming: Naming
  readonly opened: Promise<PostgresEngine>
  readonly past: SharedPast = {
    read: async () => (await this.#ready).past.read(),
    move: async (direction, options) => {
      const versions = await (await this.#ready).past.move(direction, options)
      await this.#show()
      return versions
    },
  }
  readonly #kept: Kept
  /** As JSON, what was shown last. */
  #shown = ''
  /** Routing asks before the database answers. */
  #catalog: Engine
  #ready: Promise<PostgresEngine>
  #turn: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined
  #end = (engine: PostgresEngine): void | Promise<void> => engine.close()

  constructor(local: Engine, kept: Kept) {
    this.naming = local.naming
    this.#kept = kept
    this.#catalog = local
    this.opened = this.#open(local)
    this.opened.catch(() => {})
    this.#ready = this.opened
  }

  names(): readonly string[] {
    return this.#catalog.names()
  }

  kindOf(name: string): 'collection' | 'object' | undefined {
    return this.#catalog.kindOf(name)
  }

  async read<K extends QuestionKind>(
    question: Question<K>,
    options?: ReadOptions,
  ): Promise<Reading<FoundByKind[K]>> {
    if (open.delete(this)) open.add(this)
    return (await this.#ready).read(question, options)
  }

  async write<K extends ChangeKind>(change: Change<K>, options?: WriteOptions): Promise<OutcomeByKind[K]> {
    const outcome = await (await this.#ready).write(change, options)
    if (!options?.dryRun) await this.#show()
    return outcome
  }

  subscribe(listener: (commit: Commit) => void, options?: SubscribeOptions): () => void {
    let isOver = false
    const listening = this.#ready.then((engine) => (isOver ? undefined : engine.subscribe(listener, options)))
    listening.catch(() => {})
    return () => {
      isOver = true
      listening.then((stop) => stop?.()).catch(() => {})
    }
  }

  useRules(rules: Rules | undefined): void {
    this.#catalog.useRules?.(rules)
    this.#ready = this.#ready.then((engine) => {
      engine.useRules(rules)
      return engine
    })
    this.#ready.catch(() => {})
  }

  declares(collection: string, field: string): boolean {
    return this.#catalog.declares?.(collection, field) === true
  }

  async refresh(): Promise<boolean> {
    return (await this.#ready).refresh()
  }

  async rewind(options?: Pick<WriteOptions, 'note'>): Promise<void> {
    await (await this.#ready).rewind(options)
    await this.#show()
  }

  close(): Promise<void> {
    open.delete(this)
    this.#closing ??= this.#ready.then((engine) => this.#end(engine)).catch(() => {})
    this.#ready = Promise.reject(new Error('What was opened in a test is closed once it ends.'))
    this.#ready.catch(() => {})
    return this.#closing
  }

  async #open(local: Engine): Promise<PostgresEngine> {
    const { found } = await local.read({ kind: 'database' })
    this.#shown = JSON.stringify(stored(found))
    const engine = await this.#openWith(JSON.parse(this.#shown))
    this.#catalog = engine
    return engine
  }

  async #openWith(data: Data): Promise<PostgresEngine> {
    const { now } = this.#kept
    if (isEverythingRun) {
      return openPostgres(await freshAddress(), { ...this.naming, sample: () => data, now })
    }
    const { engine, giveBack } = await lendEngine(data, this.naming, now)
    this.#end = giveBack
    return engine
  }

  /** Shows what is stored now, after what was shown before: if it is something else. */
  #show(): Promise<void> {
    const { file, object } = this.#kept
    if (file === undefined && object === undefined) return Promise.resolve()
    const shown = this.#turn.then(async () => {
      const { found } = await (await this.#ready).read({ kind: 'database' })
      const data = stored(found)
      const text = JSON.stringify(data)
      if (text === this.#shown) return
      this.#shown = text
      if (file !== undefined) {
        await writeFile(`${file}.new`, JSON.stringify(data, null, 2))
        await rename(`${file}.new`, file)
      }
      if (object !== undefined) show(object, JSON.parse(text))
    })
    this.#turn = shown.catch(() => {})
    return shown
  }
}

/** With what rows hide. */
function stored(data: Data): Data {
  const whole = (value: unknown) =>
    Array.isArray(value) ? value.map((row: unknown) => (isRow(row) ? withHidden(row) : row)) : value
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, whole(value)]))
}

/** In place: others hold its lists. */
function show(object: object, data: Data): void {
  for (const name of Object.keys(object)) if (!Object.hasOwn(data, name)) Reflect.deleteProperty(object, name)
  for (const [name, value] of Object.entries(data)) {
    const shown: unknown = Reflect.get(object, name)
    if (Array.isArray(shown) && Array.isArray(value)) shown.splice(0, shown.length, ...value)
    else Reflect.set(object, name, value)
  }
}
