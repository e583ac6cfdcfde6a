import type { Change, ChangeKind, Dependents, OutcomeByKind } from '../../core/engine/change.ts'
import type { DataAccess } from '../../core/engine/hooks.ts'
import { idOf } from '../../core/engine/id-of.ts'
import type { ReadOptions } from '../../core/engine/question.ts'
import { requireRight } from '../../core/engine/rules/check-access.ts'
import type { Access } from '../../core/engine/rules/rights.ts'
import type { Naming, Row } from '../../core/engine/types.ts'
import { refuse, StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { MAX_DEPTH, storable } from '../../core/kernel/json/limits.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { getOrMake } from '../../core/kernel/util/get-or-make.ts'
import type { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { HashedPasswords, PasswordHasher } from '../../core/router/context.ts'
import { checkQuery, parseQuery } from '../../core/router/query/parse-query.ts'
import { checkId } from '../../core/router/write-body.ts'
import type { Db, QueryWords } from './define.ts'
import { reportUnawaited } from './unawaited.ts'

export interface DbOptions {
  readonly data: DataAccess
  readonly naming: Naming
  readonly access: Access | undefined
  /** Who causes the changes, for hooks. */
  readonly by: unknown
  readonly dependents: Dependents
  readonly readOnly: boolean
  readonly seal: PasswordHasher | undefined
  readonly report: (line: string) => void
  /** Loops that only read rows would never let timers, signals and other requests run. */
  readonly pace: TimeSlice
}

/** The `db` of handlers and hooks: reads and writes of a transaction. */
export function openDb(options: DbOptions): Db {
  return tables(options, tables({ ...options, access: undefined })) as Db
}

function tables(options: DbOptions, asServer?: object): object {
  const opened = new Map<string, object>()
  const get = (_: object, name: string | symbol) => {
    if (name === 'asServer' && asServer) return asServer
    // `await db` asks whether it is a promise.
    if (typeof name !== 'string' || name === 'then') return undefined
    return getOrMake(opened, name, () => reporting(new ResourceDb(name, options), options))
  }
  return new Proxy({}, { get })
}

/** With methods that give way, and whose refusals nothing has to wait for. */
function reporting(db: ResourceDb, { report, pace }: DbOptions): object {
  return new Proxy(db, {
    get(_, name) {
      const method: unknown = Reflect.get(db, name)
      if (typeof method !== 'function') return method
      return (...sent: unknown[]) => reportUnawaited(givingWay(Reflect.apply(method, db, sent), pace), report)
    },
  })
}

/** Behind what has begun: a function may end without waiting for it. */
async function givingWay(begun: Promise<unknown>, pace: TimeSlice): Promise<unknown> {
  try {
    return await begun
  } finally {
    if (pace.isUsedUp) await pace.yieldToEventLoop()
  }
}

/** Rows go in and out as copies: stored ones never change. */
class ResourceDb {
  readonly #name: string
  readonly #options: DbOptions

  constructor(name: string, options: DbOptions) {
    this.#name = name
    this.#options = options
  }

  async get(id?: unknown): Promise<Row | undefined> {
    const name = this.#name
    const question = this.#isObject()
      ? ({ kind: 'object', name } as const)
      : ({ kind: 'item', collection: name, id: String(id) } as const)
    const { found } = await this.#options.data.read(question, this.#readable())
    if (!found && !this.#options.data.kindOf(name)) throw this.#missing()
    return copyOf(found)
  }

  async list(words: QueryWords = {}): Promise<readonly Row[]> {
    const query = checkQuery(parseQuery(asSent(words)))
    const question = { kind: 'list', collection: this.#name, query } as const
    const { found, ignored } = await this.#options.data.read(question, this.#readable())
    const [idle] = ignored
    if (idle) throw new TypeError(`db.${this.#name}.list: ${idle.name} means nothing here (${idle.reason}).`)
    if (!found) throw this.#missing()
    return copyOf('toArray' in found.rows ? found.rows.toArray() : found.rows)
  }

  async create(fields: unknown): Promise<Row | readonly Row[]> {
    const isList = Array.isArray(fields)
    const rows = [fields].flat().map((row) => this.#fields(row))
    const id = idOf(this.#name, this.#options.naming)
    for (const row of rows) checkId(row, id)
    const change = { kind: 'insert', collection: this.#name, rows, ...(isList && { isList }) } as const
    const created = await this.#write(change)
    const [first] = created ?? []
    if (!created || (!isList && !first)) throw this.#missing()
    return copyOf(isList ? created : (first ?? {}))
  }

  update(id: unknown, fields?: unknown): Promise<Row> {
    return this.#change('merge', id, fields)
  }

  replace(id: unknown, fields?: unknown): Promise<Row> {
    return this.#change('replace', id, fields)
  }

  async remove(id: unknown): Promise<Row> {
    const { dependents } = this.#options
    const removed = await this.#write({ kind: 'remove', collection: this.#name, id: String(id), dependents })
    return copyOf(this.#found(removed, id).row)
  }

  async #change(kind: 'merge' | 'replace', id: unknown, sent: unknown): Promise<Row> {
    const name = this.#name
    if (this.#isObject()) {
      const change = { kind: `${kind}-object`, name, fields: this.#fields(id) } as const
      return copyOf(this.#found(await this.#write(change), undefined))
    }
    const change = { kind, collection: name, id: String(id), fields: this.#fields(sent) } as const
    return copyOf(this.#found(await this.#write(change), id))
  }

  async #write<K extends ChangeKind>(change: Change<K> & Change): Promise<OutcomeByKind[K]> {
    const { data, access, by, seal, readOnly } = this.#options
    if (readOnly) throw refuse(403, 'READ_ONLY', 'The server is read-only. Nothing was changed.')
    const sealed: HashedPasswords | undefined = await seal?.(change, { engine: data, access })
    return data.write<K>(change, { ...sealed, access, by })
  }

  /** As for a request: what nobody like the client may read is refused, and not just empty. */
  #readable(): ReadOptions {
    const { access } = this.#options
    if (access) requireRight(access, this.#name, 'read')
    return { access }
  }

  #isObject(): boolean {
    return this.#options.data.kindOf(this.#name) === 'object'
  }

  #fields(fields: unknown): Row {
    if (!isObject(fields)) throw new TypeError(`db.${this.#name}: a row has to be an object.`)
    const row = storable(copyOf(fields), MAX_DEPTH)
    if (!row) throw new StorageError('INVALID_BODY', `A row of ${this.#name} is nested too deep.`)
    return row
  }

  #found<T>(outcome: T | undefined, id: unknown): T {
    if (outcome !== undefined) return outcome
    if (!this.#options.data.kindOf(this.#name)) throw this.#missing()
    throw refuse(404, 'NOT_FOUND', `${this.#name} has no item ${String(id)}. Nothing was changed.`)
  }

  #missing(): Error {
    return new TypeError(`db.${this.#name}: the data has no collection of this name.`)
  }
}

/** As JSON: dates become texts, and functions nothing. */
export function copyOf<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value))
}

function asSent(words: QueryWords): Record<string, unknown> {
  const entries = Object.entries(words).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}
