import type { WriteOptions } from '../../core/engine/change.ts'
import type { EngineAccess } from '../../core/engine/engine.ts'
import { foreignKey, listKey } from '../../core/engine/relations/relations.ts'
import type { CompiledRules } from '../../core/engine/rules/compiled-rules.ts'
import type { Row } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { toText } from '../../core/kernel/catalogue/text.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { Random } from '../../core/kernel/util/random.ts'
import { merged } from '../../wings/schemas/combined.ts'
import type { Declared } from '../../wings/schemas/declared.ts'
import { inlined } from '../../wings/schemas/inlined.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { Additions } from './additions.ts'
import { loadFakes } from './fakes.ts'
import { growRow, learn, sampleOf } from './grow.ts'
import { innerKeys, keysAt, missingParents, type RowKey, usesOf } from './keys.ts'

/** Where rows grow: the data, as far as a client may use it, and what the settings say of it. */
export interface Ground {
  readonly engine: EngineAccess
  readonly rules: CompiledRules | undefined
  readonly declaredOf: (resource: string) => Declared | undefined
  /** Fields that the server sets in rows of this client, such as their owner. */
  readonly fixedIn?: ((resource: string) => readonly string[]) | undefined
}

/** The rows to add to each collection: how many, or some fields of each. */
export type WantedRows = ReadonlyMap<string, number | readonly Row[]>

interface Wish {
  readonly count: number
  readonly sent: readonly Row[]
  readonly isSparse: boolean
}

/** Makes the rows of one commit: those that are wanted, and parents that they miss. */
export class Growth {
  readonly #ground: Ground
  readonly #wanted: WantedRows
  readonly #seed: number | undefined
  readonly additions: Additions
  /** Collections that are wanted, and made or being made. */
  readonly #begun = new Set<string>()
  /** Collections whose rows are being made: in a circle, keys point at what is there. */
  readonly #making = new Set<string>()
  /** Collections by their foreign keys: `postId` and `postIds` → `posts`. */
  readonly #targets = new Map<string, string>()
  /** Where the rows are that were given some fields. */
  readonly positions = new Map<string, { readonly start: number; readonly count: number }>()

  constructor(ground: Ground, wanted: WantedRows, write: WriteOptions, seed: number | undefined) {
    const { engine } = ground
    this.#ground = ground
    this.#wanted = wanted
    this.#seed = seed
    this.additions = new Additions(engine, write)
    for (const name of engine.names()) {
      if (engine.kindOf(name) !== 'collection') continue
      this.#targets.set(foreignKey(name, engine.naming), name)
      this.#targets.set(listKey(name, engine.naming), name)
    }
  }

  async addWanted(name: string): Promise<void> {
    const rows = this.#wanted.get(name)
    if (rows === undefined || this.#begun.has(name)) return
    this.#begun.add(name)
    if (typeof rows === 'number') {
      await this.#checkGrounds(name)
      await this.#add(name, { count: rows, sent: [], isSparse: false })
    } else {
      const count = rows.length
      this.positions.set(name, { start: await this.#add(name, { count, sent: rows, isSparse: true }), count })
    }
  }

  async #checkGrounds(name: string): Promise<void> {
    const { declaredOf } = this.#ground
    if ((await this.additions.rowsOf(name)).length > 0 || declaredOf(name)?.schema !== undefined) return
    const message = `${name} has neither rows nor a schema, so there is nothing to go by. Add a row that shows what they look like, or a schema in the config: {"resources": {"${name}": {"schema": …}}}.`
    throw new StorageError('NOTHING_TO_LEARN_FROM', message)
  }

  /** Makes rows, after the parents that they miss. Returns the position of the first among those that are added. */
  async #add(name: string, wish: Wish): Promise<number> {
    const { count, sent, isSparse } = wish
    this.#making.add(name)
    const { engine, declaredOf, rules, fixedIn } = this.#ground
    const { id } = engine.naming
    const declared = declaredOf(name) ?? {}
    const rows = await this.additions.rowsOf(name)
    const schema: JsonSchema = declared.schema ? merged(inlined(declared.schema)) : {}
    const left = [...(declared.timestamps ?? []), ...(declared.hidden ?? []), ...(fixedIn?.(name) ?? [])]
    const keys = await this.#keys(rows, schema, declared, wish, left)
    const { schema: rowSchema, unique = [] } = rules?.of(name) ?? {}
    const fits = (row: Row) =>
      rowSchema?.faultsOf(rowSchema.fillIn(rowSchema.keepReadOnly(row))).every(({ path }) => path === id) ??
      true
    const profile = await learn({
      ...{ resource: name, rows, id, ids: declared.ids, schema, fits, keys, left },
      unique: unique.map(({ fields }) => fields),
      fakes: await loadFakes(),
    })
    const random = new Random(`${this.#seed ?? ''} ${name} ${rows.length}`)
    const made: Row[] = []
    const pace = new TimeSlice()
    for (let at = 0; at < count; at++) {
      made.push(growRow(profile, random, sent[at], isSparse))
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    const isNamed = sent.length === count && sent.every((row) => Object.hasOwn(row, id))
    const isChosen = this.#wanted.get(name) === sent && sent.some((row) => Object.hasOwn(row, id))
    this.#making.delete(name)
    const hasIds = profile.newId !== undefined || isNamed
    return this.additions.append(name, made, { hasIds, hasSentIds: isChosen })
  }

  /** The keys of rows, and the parents that they may point at. Those that are missing are made. */
  async #keys(
    rows: readonly Row[],
    schema: JsonSchema,
    { references = new Map(), unique = [] }: Declared,
    { count, sent, isSparse }: Wish,
    left: readonly string[],
  ): Promise<ReadonlyMap<string, RowKey>> {
    const { properties = {}, required = [] } = schema
    const names = new Set([...references.keys(), ...Object.keys(properties), ...required])
    const known = [...sampleOf(rows), ...sent]
    for (const row of known) for (const field of Object.keys(row)) names.add(field)
    for (const path of innerKeys(known, (name) => this.#targets.has(name))) names.add(path)
    const keys = new Map<string, RowKey>()
    for (const field of names) {
      const target = references.get(field) ?? this.#targets.get(field.split('.').at(-1) ?? field)
      const isKnown = target !== undefined && this.#ground.engine.kindOf(target) === 'collection'
      if (!isKnown || left.includes(field)) continue
      await this.addWanted(target)
      await this.#addNamed(
        target,
        sent.flatMap((row) => keysAt(row, field)),
      )
      const uses = await usesOf(rows, field)
      const isUnique = unique.some((fields) => fields.length === 1 && fields[0] === field)
      const isAlways =
        required.includes(field) || (rows.length > 0 && rows.every((row) => Object.hasOwn(row, field)))
      const isFilled = isAlways || (!isSparse && uses.size > 0)
      const open = isFilled ? count - sent.filter((row) => Object.hasOwn(row, field)).length : 0
      const key = { parents: await this.additions.idsIn(target), uses, isUnique }
      const missing = this.#making.has(target) ? 0 : missingParents(key, open)
      if (missing > 0) await this.#add(target, { count: missing, sent: [], isSparse })
      keys.set(field, { ...key, parents: await this.additions.idsIn(target) })
    }
    return keys
  }

  /** Adds parents that a client names, and that are not there. */
  async #addNamed(target: string, keys: readonly unknown[]): Promise<void> {
    const isId = (key: unknown) => typeof key === 'string' || typeof key === 'number'
    const named = new Map(keys.filter(isId).map((key) => [toText(key), key]))
    if (named.size === 0 || this.#making.has(target)) return
    for (const id of await this.additions.idsIn(target)) named.delete(toText(id))
    const { id } = this.#ground.engine.naming
    const sent = [...named.values()].map((key): Row => ({ [id]: key }))
    if (sent.length > 0) await this.#add(target, { count: sent.length, sent, isSparse: true })
  }
}
