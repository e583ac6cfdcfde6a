import type { Request, Response } from 'express'
import type { Database } from '../../../core/engine/data/database.ts'
import type { CommitMeta, Effect } from '../../../core/engine/data/store.ts'
import { Engine } from '../../../core/engine/engine.ts'
import { idOf } from '../../../core/engine/id-of.ts'
import { foreignKey } from '../../../core/engine/relations/relations.ts'
import type { Row } from '../../../core/engine/types.ts'
import { isObject } from '../../../core/kernel/json/values.ts'
import { Turns } from '../../../core/kernel/util/turns.ts'
import { DATABASE } from '../../../core/router/target.ts'
import { type Entry, HERE, hashOf, keyOf, mapAround, type Whole } from './entries.ts'
import { learnItem, learnList } from './envelope.ts'
import { type FoundRows, findItem, findList, rowId } from './find-rows.ts'
import { type Asked, isProbed, type LocalAnswers } from './local-answers.ts'
import type { RecordedCollection, Recording } from './recording.ts'
import { matchRoute, partsOf, type RecordedRoute, type Routes, type Spot, spotOf } from './routes.ts'
import { type RowsToStore, removeRow, storeRows } from './store-rows.ts'

/** An exchange with the API, without its secrets. */
export interface Exchanged {
  readonly req: Request
  readonly res: Response
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly sent?: unknown
  readonly status: number
  readonly type: string
  readonly body: unknown
  /** Rows that there are, by its header. */
  readonly total: number | undefined
}

interface RecorderOptions {
  readonly engine: Engine
  readonly recording: Recording
  readonly answers: LocalAnswers
  /** The API that URLs in answers point at. */
  readonly target: URL
}

interface Found {
  readonly spot: Spot
  readonly rows: FoundRows
}

/** Makes rows of what the API answers; and where rows do not give the same answer again, keeps it whole. */
export class AnswerRecorder {
  readonly #options: RecorderOptions
  readonly #turns = new Turns()

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** Resolves once the exchange is kept. */
  record(exchanged: Exchanged): Promise<void> {
    return this.#turns.take(async () => {
      const { method } = exchanged
      await (method === 'GET' ? this.#read(exchanged) : this.#wrote(exchanged))
      await this.#options.recording.save()
    })
  }

  /** The route of a path, if something was recorded of it. */
  routeOf(path: string): Asked | undefined {
    return askedOf(path, this.#options.recording)
  }

  /** Whether the resource was not here before the first recording. */
  isRecorded(resource: string | undefined): boolean {
    return resource !== undefined && this.#options.recording.collections.has(resource)
  }

  async #read(exchanged: Exchanged): Promise<void> {
    const { engine, recording, target } = this.#options
    const { url, body, status, type } = exchanged
    const found = this.#find(exchanged)
    const key = keyOf('GET', url)
    const at = found?.rows.at
    const hash = hashOf(body, at, (text) => text.startsWith(target.origin))
    const last = recording.entries.get(key)
    if (last?.hash === hash && (last.whole || (found && engine.kindOf(found.spot.collection)))) return
    const before = { database: engine.database, recording: snapshot(recording) }
    const resource = found?.spot.collection
    const changed = found ? await this.#learn(exchanged, found) : NONE
    const whole: Whole = { status, type, body: this.#here(body, at) }
    recording.set(key, { hash, whole, ...(found && { resource: found.spot.collection, at: found.rows.at }) })
    if (resource !== undefined) await this.#settle(resource, before, { ...exchanged, changed, key })
  }

  /** The rows of an answer. Undefined if it has none, or their collection could not be one here. */
  #find({ url, body }: Exchanged): Found | undefined {
    const { recording, engine } = this.#options
    const parts = partsOf(url.replace(/\?.*/s, ''))
    const last = parts?.at(-1)
    if (!parts || last === undefined) return undefined
    const isRow = (name: string, id: string) => hasRow(engine, recording, name, id)
    const item = spotOf(parts, true, isRow)
    const itemRows = item && findItem(body, item.collection, last)
    if (item && itemRows && this.#mayStore(item)) return { spot: item, rows: itemRows }
    const list = spotOf(parts, false, isRow)
    const rows = list && findList(body, list.collection)
    return list && rows && this.#mayStore(list) ? { spot: list, rows } : undefined
  }

  /** Whether rows of the API may be in this collection: it is new, or was recorded, or the path is that of the data. */
  #mayStore({ collection, pattern, parent }: Spot): boolean {
    const { engine, recording } = this.#options
    if (!/^[A-Za-z\d][\w-]*$/.test(collection) || DATABASE.test(`/${collection}`)) return false
    const kind = engine.kindOf(collection)
    const own = parent ? `/${parent.name}/:id/${collection}` : `/${collection}`
    return (
      kind === undefined ||
      recording.collections.has(collection) ||
      (kind === 'collection' && pattern === own)
    )
  }

  /** Stores rows, and what their answer says about all answers of its route. */
  async #learn({ url, body, total }: Exchanged, { spot, rows: found }: Found): Promise<ReadonlySet<string>> {
    const { recording } = this.#options
    const { collection, pattern, parent } = spot
    const isItem = found.kind === 'item'
    const known: RecordedRoute = recording.routes.get(pattern) ?? {
      collection,
      ...(parent && { parent: parent.name }),
    }
    const asked = { query: new URLSearchParams(url.replace(/^[^?]*\??/, '')), total }
    const learned = isItem ? learnItem(known, body, found) : learnList(known, body, found, asked)
    const fields = fieldsOf(found.rows)
    const shown = isItem ? union(known.itemFields, fields) : union(known.listFields, fields)
    const route = { ...learned, ...(isItem ? { itemFields: shown } : { listFields: shown }) }
    if (JSON.stringify(route) !== JSON.stringify(known)) recording.routes.set(pattern, route)
    return this.#store(spot, found.rows, isItem, { method: 'GET', url, isRecorded: true })
  }

  async #store(
    spot: Spot,
    found: readonly Row[],
    isWhole: boolean,
    meta: CommitMeta,
  ): Promise<ReadonlySet<string>> {
    const { engine, recording } = this.#options
    const { collection, parent } = spot
    const id = idOf(collection, engine.naming)
    const key = parent && foreignKey(parent.name, engine.naming)
    const value = parent && (/^(?:0|[1-9]\d{0,14})$/.test(parent.id) ? Number(parent.id) : parent.id)
    const rows = found.map((row) => ({
      ...(!Object.hasOwn(row, id) && { [id]: rowId(row, collection) }),
      ...row,
      ...(key !== undefined && !Object.hasOwn(row, key) && { [key]: value }),
    }))
    const { fields = [], keys = [] } = recording.collections.get(collection) ?? {}
    const isNew = engine.kindOf(collection) === undefined || recording.collections.has(collection)
    const isGiven = key !== undefined && found.some((row) => !Object.hasOwn(row, key))
    const next: RecordedCollection = {
      fields: union(fields, fieldsOf(rows)),
      ...((isGiven || keys.length > 0) && { keys: isGiven ? union(keys, [key]) : keys }),
    }
    if (isNew) recording.collections.set(collection, next)
    const stored: RowsToStore = { collection, rows, id, ...(isWhole && { keeping: next.keys ?? [] }) }
    const effects = await this.#commit(meta, (newest) => storeRows(newest, stored))
    const changed = effects.flatMap((effect) => (effect.kind === 'rows' ? effect.rows : []))
    return new Set(changed.map(({ before, after }) => String((after ?? before)?.[id])))
  }

  /** Unchecked, as files from outside are, and one change that can be undone. */
  #commit(meta: CommitMeta, run: (newest: Database) => Promise<Database>): Promise<readonly Effect[]> {
    return this.#options.engine.write({ kind: 'transaction', run }, { meta })
  }

  /**
   * Of all recorded answers of a resource: those that the rows give now need not be kept whole, and those that they no
   * longer give are, as they gave them before.
   */
  async #settle(resource: string, before: Before, { req, res, key: own, changed }: Settled): Promise<void> {
    const { engine, recording, answers } = this.#options
    let old: Engine | undefined
    const fields = (of: Before['recording']) => of.collections.get(resource)?.fields.length
    const isOther = fields(before.recording) !== fields(recording)
    for (const [key, entry] of [...recording.entries]) {
      const isRead =
        entry.resource === resource && key.startsWith('GET ') && (entry.whole?.status ?? 200) === 200
      if (!isRead) continue
      const url = key.slice('GET '.length)
      const path = url.replace(/\?.*/s, '')
      const ask = async (of: Engine, from: Before['recording']) => {
        const asked = askedOf(path, from)
        return asked && (await answers.probe(of, asked, url, req, res))
      }
      // Of items, most are as they were.
      const asked = askedOf(path, recording)
      const id = asked?.spot.id
      const isTouched = id === undefined ? changed.size > 0 : changed.has(id)
      const isSame = asked?.route === before.recording.routes.get(asked?.spot.pattern ?? '')
      if (key !== own && !isTouched && isSame && !isOther) continue
      const given = await ask(engine, recording)
      const isGiven = given !== undefined && hashOf(given, entry.at, isProbed) === entry.hash
      const { whole, age: _, ...rest } = entry
      if (isGiven) {
        if (whole) recording.set(key, rest)
        continue
      }
      if (whole) continue
      old ??= new Engine(before.database, { ...engine.naming, now: engine.now })
      const body = await ask(old, before.recording)
      const isOld = body !== undefined && hashOf(body, entry.at, isProbed) === entry.hash
      // Otherwise it was changed here since.
      if (!isOld) recording.drop(key)
      else
        recording.set(key, {
          ...rest,
          whole: { status: 200, type: 'application/json', body: unprobed(body, entry.at) },
        })
    }
  }

  async #wrote(exchanged: Exchanged): Promise<void> {
    const { engine, recording } = this.#options
    const { method, url, sent, status, body } = exchanged
    const path = url.replace(/\?.*/s, '')
    const parts = partsOf(path) ?? []
    const matched = matchRoute(recording.routes, parts)
    const made = matched ? undefined : this.#made(parts, exchanged)
    const spot = matched ?? made
    if (!spot) {
      if (method !== 'POST') return
      const { type } = exchanged
      const whole = { status, type, body: this.#here(body, undefined) }
      const key = keyOf('POST', url, JSON.stringify(sent ?? null))
      recording.set(key, { hash: hashOf(body, undefined, () => false), whole })
      return
    }
    const { collection, id } = spot
    const meta: CommitMeta = { method, url }
    if (method === 'DELETE') {
      if (id !== undefined)
        await this.#commit(meta, (newest) =>
          removeRow(newest, collection, idOf(collection, engine.naming), id),
        )
    } else {
      const returned = findItem(body, collection, id)?.rows[0]
      const ours = unwrapped(sent, matched?.route, collection)
      const row = returned ?? withId(ours, idOf(collection, engine.naming), id, collection)
      if (row) {
        if (!matched) recording.routes.set(spot.pattern, routeFor(spot, body, row))
        await this.#store(spot, [row], method !== 'PATCH', meta)
      }
    }
    recording.end(collection)
    for (const key of recording.entries.keys()) if (key.startsWith(`POST ${path}`)) recording.drop(key)
  }

  /** The collection that a 201 makes whose object has an id. */
  #made(parts: readonly string[], { method, status, body }: Exchanged): Spot | undefined {
    const { engine, recording } = this.#options
    if (method !== 'POST' || status !== 201) return undefined
    const spot = spotOf(parts, false, (name, id) => hasRow(engine, recording, name, id))
    return spot && findItem(body, spot.collection) && this.#mayStore(spot) ? spot : undefined
  }

  /** URLs around the rows point here in what is kept. */
  #here(body: unknown, at: readonly string[] | undefined): unknown {
    const { target } = this.#options
    const base = target.href.replace(/\/$/, '')
    return mapAround(body, at, (text) => {
      const isBelow = text.startsWith(base) && /^(?:[/?#]|$)/.test(text.slice(base.length))
      return isBelow ? `${HERE}${text.slice(base.length)}` : text
    })
  }
}

interface Settled extends Exchanged {
  /** Of the answer. */
  readonly key: string
  /** Ids of rows that it added or changed. */
  readonly changed: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

interface Before {
  readonly database: Database
  readonly recording: {
    readonly routes: Routes
    readonly collections: ReadonlyMap<string, RecordedCollection>
  }
}

function snapshot({ routes, collections }: Recording): Before['recording'] {
  return { routes: new Map(routes), collections: new Map(collections) }
}

function askedOf(path: string, { routes, collections }: Before['recording']): Asked | undefined {
  const spot = matchRoute(routes, partsOf(path) ?? [])
  return spot && { spot, route: spot.route, collection: collections.get(spot.collection) }
}

/** A body of the rows with the URLs of a probe. */
function unprobed(body: unknown, at: Entry['at']): unknown {
  return mapAround(body, at, (text) => (isProbed(text) ? text.replace(/^https?:\/\/[^/]*/, HERE) : text))
}

function hasRow({ database, naming }: Engine, { collections }: Recording, name: string, id: string): boolean {
  const table = collections.has(name) ? database.table(name) : undefined
  return table?.rows.items().some((row) => String(Object(row)[idOf(name, naming)]) === id) ?? false
}

function routeFor({ collection, parent }: Spot, body: unknown, row: Row): RecordedRoute {
  const route = { collection, ...(parent && { parent: parent.name }) }
  const found = findItem(body, collection)
  const learned = found ? learnItem(route, body, found) : route
  return { ...learned, itemFields: fieldsOf([row]) }
}

/** The object in a body that was sent. */
function unwrapped(sent: unknown, route: RecordedRoute | undefined, collection: string): Row | undefined {
  if (!isObject(sent)) return undefined
  const [key, ...others] = Object.keys(isObject(route?.item) ? route.item : {})
  const inner = key !== undefined && others.length === 0 ? sent[key] : undefined
  const found = isObject(inner) ? inner : sent
  return findItem(found, collection)?.rows[0] ?? found
}

function withId(
  row: Row | undefined,
  name: string,
  id: string | undefined,
  collection: string,
): Row | undefined {
  if (!row) return undefined
  if (id === undefined) return rowId(row, collection) === undefined ? undefined : row
  return { ...row, [name]: /^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id }
}

function fieldsOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

function union(a: readonly string[] = [], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])].sort()
}
