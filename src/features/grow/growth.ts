import type { Change, WriteOptions } from '../../core/engine/change.ts'
import type { Engine } from '../../core/engine/engine.ts'
import { idOf } from '../../core/engine/id-of.ts'
import { readRows } from '../../core/engine/read-rows.ts'
import { foreignKey, listKey } from '../../core/engine/relations/relations.ts'
import { type Access, rightsIn } from '../../core/engine/rules/rights.ts'
import type { Transaction } from '../../core/engine/transaction.ts'
import type { Row } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { toText } from '../../core/kernel/catalogue/text.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { Random } from '../../core/kernel/util/random.ts'
import { loadFakes } from '../../wings/making/fakes.ts'
import { growRow, learn } from '../../wings/making/grow-row.ts'
import { keysIn, missingParents, type RowKey } from '../../wings/making/keys.ts'
import { merged } from '../../wings/schemas/combined.ts'
import type { Declared } from '../../wings/schemas/declared.ts'
import { inlined } from '../../wings/schemas/inlined.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'

/** Where rows grow, for a client with these rights, and what the settings say of it. */
export interface Ground {
  readonly engine: Engine
  readonly access?: Access | undefined
  readonly declaredOf: (resource: string) => Declared | undefined
}

/** The rows to add to each collection: how many, or some fields of each. */
export type WantedRows = ReadonlyMap<string, number | readonly Row[]>

/** Adds rows in a transaction: those that are wanted, and parents that they miss. */
export class Growth {
  readonly #ground: Ground
  readonly #transaction: Transaction
  readonly #wanted: WantedRows
  readonly #seed: number | undefined
  readonly #write: WriteOptions
  /** Stored rows by collection, and those added. */
  readonly #rows = new Map<string, readonly Row[]>()
  /** Collections that are wanted, and made or being made. */
  readonly #begun = new Set<string>()
  /** Collections whose rows are being made: in a circle, keys point at what is there. */
  readonly #making = new Set<string>()
  /** Collections by their foreign keys: `postId` and `postIds` → `posts`. */
  readonly #targets = new Map<string, string>()
  /** How many rows were added to each collection. */
  readonly created = new Map<string, number>()
  /** Added rows of which some fields were given. */
  readonly filled = new Map<string, readonly Row[]>()

  /** @param write for all rows, with the rights of the client */
  constructor(
    ground: Ground,
    transaction: Transaction,
    wanted: WantedRows,
    write: WriteOptions,
    seed: number | undefined,
  ) {
    const { engine } = ground
    this.#ground = ground
    this.#transaction = transaction
    this.#wanted = wanted
    this.#seed = seed
    this.#write = write
    for (const name of engine.names()) {
      if (transaction.kindOf(name) !== 'collection') continue
      this.#targets.set(foreignKey(name, engine.naming), name)
      this.#targets.set(listKey(name, engine.naming), name)
    }
  }

  async addWanted(name: string): Promise<void> {
    const wanted = this.#wanted.get(name)
    if (wanted === undefined || this.#begun.has(name)) return
    this.#begun.add(name)
    if (typeof wanted !== 'number') {
      this.filled.set(name, await this.#add(name, wanted, true))
      return
    }
    if ((await this.#rowsOf(name)).length === 0 && !this.#ground.declaredOf(name)?.schema) {
      const message = `${name} has neither rows nor a schema, so there is nothing to go by. Add a row that shows what they look like, or a schema in the config: {"resources": {"${name}": {"schema": …}}}.`
      throw new StorageError('NOTHING_TO_LEARN_FROM', message)
    }
    await this.#add(name, blank(wanted), false)
  }

  /** Makes rows with these fields, after the parents that they miss. */
  async #add(name: string, sent: readonly Row[], isSparse: boolean): Promise<readonly Row[]> {
    this.#making.add(name)
    const { engine, declaredOf, access } = this.#ground
    const id = idOf(name, engine.naming)
    const declared = declaredOf(name) ?? {}
    const rows = await this.#rowsOf(name)
    const schema: JsonSchema = declared.schema ? merged(inlined(declared.schema)) : {}
    const fixed = access ? rightsIn(access, name).fixed.map(({ field }) => field) : []
    const left = [...(declared.timestamps ?? []), ...(declared.hidden ?? []), ...fixed]
    const keys = await this.#keys(rows, schema, declared, [id, ...left], sent, isSparse)
    const { schema: rowSchema, unique = [] } = engine.rules?.of(name) ?? {}
    const profile = await learn({
      ...{ resource: name, rows, id, ids: declared.ids, schema, keys, left },
      faultsOf:
        rowSchema &&
        ((row) => {
          const faults = rowSchema.faultsOf(rowSchema.fillIn(rowSchema.keepReadOnly(row)))
          return faults.filter(({ path }) => path !== id)
        }),
      unique: unique.map(({ fields }) => fields),
      fakes: await loadFakes(),
    })
    const random = new Random(`${this.#seed ?? ''} ${name} ${rows.length}`)
    const made: Row[] = []
    const pace = new TimeSlice()
    for (const fields of sent) {
      made.push(growRow(profile, random, fields, isSparse))
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    this.#making.delete(name)
    const hasId = (row: Row) => Object.hasOwn(row, id)
    const isNamed = sent.every(hasId)
    const isChosen = this.#wanted.get(name) === sent && sent.some(hasId)
    const keepsIds = (profile.newId !== undefined || isNamed) && !isChosen
    return this.#insert({ kind: 'insert', collection: name, rows: made, keepsIds })
  }

  async #insert(insert: Change<'insert'>): Promise<readonly Row[]> {
    const { collection: name } = insert
    // Of several collections, errors name the one.
    const batch = { kind: 'batch', changes: [insert], names: [name] } as const
    const isAlone = this.#wanted.size === 1 && this.created.size === 0
    const added = isAlone
      ? await this.#transaction.write<'insert'>(insert, this.#write)
      : (await this.#transaction.write<'batch'>(batch, this.#write))[0]
    const rows: readonly Row[] = Array.isArray(added) ? added : []
    this.#rows.set(name, [...(await this.#rowsOf(name)), ...rows])
    this.created.set(name, (this.created.get(name) ?? 0) + rows.length)
    return rows
  }

  async #rowsOf(name: string): Promise<readonly Row[]> {
    const known = this.#rows.get(name)
    if (known) return known
    const rows = (await readRows(this.#transaction, name, undefined, this.#ground.access)) ?? []
    const stored = rows.filter(isObject)
    this.#rows.set(name, stored)
    return stored
  }

  /** The keys of rows, and the parents that they may point at. Those that are missing are made. */
  async #keys(
    rows: readonly Row[],
    { properties = {}, required = [] }: JsonSchema,
    { references = new Map<string, string>(), unique = [] }: Declared,
    left: readonly string[],
    sent: readonly Row[],
    isSparse: boolean,
  ): Promise<ReadonlyMap<string, RowKey>> {
    const targetOf = (path: string) => {
      const target = references.get(path) ?? this.#targets.get(path.split('.').at(-1) ?? path)
      const isOpen = target !== undefined && !left.includes(path)
      return isOpen && this.#transaction.kindOf(target) === 'collection' ? target : undefined
    }
    const isKey = (path: string) => targetOf(path) !== undefined
    const [used, named] = [await keysIn(rows, isKey), await keysIn(sent, isKey)]
    const listed = [...references.keys(), ...Object.keys(properties), ...required].filter(isKey)
    const keys = new Map<string, RowKey>()
    for (const path of new Set([...listed, ...used.keys(), ...named.keys()])) {
      const target = targetOf(path) ?? path
      await this.addWanted(target)
      await this.#addNamed(target, named.get(path) ?? [])
      const has = (row: Row) => Object.hasOwn(row, path)
      const isFilled =
        required.includes(path) || (isSparse ? rows.length > 0 && rows.every(has) : used.has(path))
      const key = {
        parents: await this.#idsIn(target),
        used: used.get(path) ?? [],
        isUnique: unique.some((fields) => fields.join() === path),
      }
      const open = isFilled ? sent.filter((row) => !has(row)).length : 0
      const missing = this.#making.has(target) ? 0 : missingParents(key, open)
      if (missing > 0) await this.#add(target, blank(missing), isSparse)
      keys.set(path, { ...key, parents: await this.#idsIn(target) })
    }
    return keys
  }

  async #idsIn(name: string): Promise<readonly unknown[]> {
    const id = idOf(name, this.#ground.engine.naming)
    return (await this.#rowsOf(name)).map((row) => row[id])
  }

  /** Adds parents that a client names, and that are not there. */
  async #addNamed(target: string, keys: readonly unknown[]): Promise<void> {
    const named = new Map(keys.map((key) => [toText(key), key]))
    if (named.size === 0 || this.#making.has(target)) return
    for (const id of await this.#idsIn(target)) named.delete(toText(id))
    const id = idOf(target, this.#ground.engine.naming)
    const sent = [...named.values()].map((key): Row => ({ [id]: key }))
    if (sent.length > 0) await this.#add(target, sent, true)
  }
}

/** Rows of which no field is given. */
function blank(count: number): readonly Row[] {
  return Array<Row>(count).fill({})
}
