import { StorageError } from '../../catalogue/error-classes.ts'
import { toText } from '../../catalogue/text.ts'
import { loadFakes } from '../../grow/fakes.ts'
import { grow } from '../../grow/grow.ts'
import { type Key, missingParents, type Parents, usesOf } from '../../grow/keys.ts'
import { learn, sampleOf } from '../../grow/learn.ts'
import { Random } from '../../grow/random.ts'
import { isObject } from '../../json/values.ts'
import { merged } from '../../schema/combined.ts'
import type { Declared } from '../../schema/declared.ts'
import { inlined } from '../../schema/inlined.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { Change, WriteOptions } from '../../storage/change.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import { readRows } from '../../storage/engine/read-rows.ts'
import { foreignKey, listKey } from '../../storage/relations/relations.ts'
import type { CompiledRules } from '../../storage/rules/compiled-rules.ts'
import type { Row } from '../../storage/types.ts'
import { Pace } from '../../util/pace.ts'
import type { WantedRows } from './wanted-rows.ts'

/** Where rows grow: the data, as far as a client may use it, and what the settings say of it. */
export interface Ground {
  readonly engine: EngineAccess
  readonly rules: CompiledRules | undefined
  readonly declaredOf: (resource: string) => Declared | undefined
}

export type Insert = Change<'insert'>

interface Added {
  readonly rows: Row[]
  /** Whether all ids are known. */
  hasIds: boolean
  /** Whether a client chose some of the ids. */
  hasSentIds: boolean
}

/** The rows of one commit: those that are wanted, and parents that they miss. Parents come first. */
export class Growth {
  readonly #ground: Ground
  readonly #wanted: WantedRows
  readonly #write: WriteOptions
  readonly #seed: number | undefined
  readonly #added = new Map<string, Added>()
  readonly #stored = new Map<string, readonly Row[]>()
  /** Collections whose rows are being made: in a circle, keys point at what is there. */
  readonly #making = new Set<string>()
  /** Those that are wanted, and made or being made. */
  readonly #begun = new Set<string>()
  /** Collections by their foreign keys: `postId` and `postIds` → `posts`. */
  readonly #targets = new Map<string, string>()
  /** Where the rows are that were given some fields. */
  readonly positions = new Map<string, { readonly start: number; readonly count: number }>()

  constructor(ground: Ground, wanted: WantedRows, write: WriteOptions, seed: number | undefined) {
    this.#ground = ground
    this.#wanted = wanted
    this.#write = write
    this.#seed = seed
    const { engine } = ground
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
    const isCount = typeof rows === 'number'
    if (isCount) await this.#checkGrounds(name)
    const count = isCount ? rows : rows.length
    const start = await this.#add(name, count, isCount ? [] : rows, !isCount)
    if (!isCount) this.positions.set(name, { start, count })
  }

  /** What is stored, by collection. */
  async commit(): Promise<ReadonlyMap<string, readonly Row[]>> {
    const { engine } = this.#ground
    const inserts = this.#inserts()
    const [only] = inserts
    if (only && inserts.length === 1) {
      return new Map([[only.collection, (await engine.write<'insert'>(only, this.#write)) ?? []]])
    }
    const names = inserts.map(({ collection }) => collection)
    const outcomes = await engine.write<'batch'>({ kind: 'batch', changes: inserts, names }, this.#write)
    return new Map(names.map((name, at) => [name, rowsIn(outcomes[at])]))
  }

  async #checkGrounds(name: string): Promise<void> {
    const { declaredOf } = this.#ground
    if ((await this.#rowsOf(name)).length > 0 || declaredOf(name)?.schema !== undefined) return
    const message = `${name} has neither rows nor a schema, so there is nothing to go by. Add a row that shows what they look like, or a schema in the config: {"resources": {"${name}": {"schema": …}}}.`
    throw new StorageError('NOTHING_TO_LEARN_FROM', message)
  }

  /** Makes rows, after the parents that they miss. Returns the position of the first among those that are added. */
  async #add(name: string, count: number, sent: readonly Row[], isSparse: boolean): Promise<number> {
    this.#making.add(name)
    const { engine, declaredOf, rules } = this.#ground
    const { id } = engine.naming
    const declared = declaredOf(name) ?? {}
    const rows = await this.#rowsOf(name)
    const schema: JsonSchema = declared.schema ? merged(inlined(declared.schema)) : {}
    const keys = await this.#keys(rows, schema, declared, { count, sent, isSparse })
    const { schema: rowSchema, unique = [] } = rules?.of(name) ?? {}
    const fits = (row: Row) =>
      rowSchema?.faultsOf(rowSchema.fillIn(rowSchema.keepReadOnly(row))).every(({ path }) => path === id) ??
      true
    const profile = await learn({
      ...{ resource: name, rows, id, ids: declared.ids, schema, fits, keys },
      unique: unique.map(({ fields }) => fields),
      left: [...(declared.timestamps ?? []), ...(declared.hidden ?? [])],
      fakes: await loadFakes(),
    })
    const added = this.#added.get(name) ?? { rows: [], hasIds: true, hasSentIds: false }
    const start = added.rows.length
    const random = new Random(`${this.#seed ?? ''} ${name} ${rows.length}`)
    const pace = new Pace()
    for (const row of grow(profile, count, random, { sent, isSparse })) {
      added.rows.push(row)
      if (pace.isDue) await pace.turn()
    }
    added.hasIds &&=
      profile.newId !== undefined || (sent.length === count && sent.every((row) => Object.hasOwn(row, id)))
    added.hasSentIds ||= this.#wanted.get(name) === sent && sent.some((row) => Object.hasOwn(row, id))
    this.#added.set(name, added)
    this.#making.delete(name)
    return start
  }

  /** The parents of each key. Those that are missing are made. */
  async #keys(
    rows: readonly Row[],
    schema: JsonSchema,
    { references: declared = new Map(), unique = [] }: Declared,
    { count, sent, isSparse }: { count: number; sent: readonly Row[]; isSparse: boolean },
  ): Promise<ReadonlyMap<string, Key>> {
    const { properties = {}, required = [] } = schema
    const names = new Set([...declared.keys(), ...Object.keys(properties), ...required])
    for (const row of [...sampleOf(rows), ...sent]) for (const field of Object.keys(row)) names.add(field)
    const keys = new Map<string, Key>()
    for (const field of names) {
      const target = declared.get(field) ?? this.#targets.get(field)
      if (target === undefined || this.#ground.engine.kindOf(target) !== 'collection') continue
      await this.addWanted(target)
      await this.#addNamed(
        target,
        sent.flatMap((row) => [row[field]].flat()),
      )
      const uses = await usesOf(rows, field)
      const isUnique = unique.some((fields) => fields.length === 1 && fields[0] === field)
      const isAlways =
        required.includes(field) || (rows.length > 0 && rows.every((row) => Object.hasOwn(row, field)))
      const open = count - sent.filter((row) => Object.hasOwn(row, field)).length
      const isOpen = isAlways || (!isSparse && uses.size > 0)
      const key = { parents: await this.#parentsIn(target), uses, isUnique }
      const missing = missingParents(key, isOpen ? open : 0)
      if (missing > 0 && !this.#making.has(target)) await this.#add(target, missing, [], isSparse)
      keys.set(field, { ...key, parents: await this.#parentsIn(target) })
    }
    return keys
  }

  /** Parents that a client names, and that are not there. */
  async #addNamed(target: string, keys: readonly unknown[]): Promise<void> {
    const isId = (key: unknown) => typeof key === 'string' || typeof key === 'number'
    const named = new Map(keys.filter(isId).map((key) => [toText(key), key]))
    if (named.size === 0 || this.#making.has(target)) return
    for (const id of (await this.#parentsIn(target)).ids) named.delete(toText(id))
    const { id } = this.#ground.engine.naming
    const rows = [...named.values()].map((key): Row => ({ [id]: key }))
    if (rows.length > 0) await this.#add(target, rows.length, rows, true)
  }

  async #parentsIn(name: string): Promise<Parents> {
    const { id } = this.#ground.engine.naming
    const added = this.#added.get(name)
    if (added && !added.hasIds) await this.#assignIds(name, added)
    const rows = await this.#rowsOf(name)
    return { ids: rows.map((row) => row[id]), added: added?.rows.length ?? 0 }
  }

  /** The ids that the server would assign. */
  async #assignIds(name: string, added: Added): Promise<void> {
    const { engine } = this.#ground
    const { id } = engine.naming
    const inserts = this.#inserts()
    const at = inserts.findIndex(({ collection }) => collection === name)
    const outcomes = await engine.write<'batch'>(
      { kind: 'batch', changes: inserts, names: inserts.map(({ collection }) => collection) },
      { ...this.#write, dryRun: true },
    )
    for (const [place, { [id]: assigned }] of rowsIn(outcomes[at]).entries()) {
      const row = added.rows[place]
      if (row) row[id] = assigned
    }
    added.hasIds = true
  }

  #inserts(): readonly Insert[] {
    return [...this.#added]
      .filter(([, { rows }]) => rows.length > 0)
      .map(([collection, { rows, hasIds, hasSentIds }]) => {
        return { kind: 'insert', collection, rows, ...(hasIds && !hasSentIds && { keepsIds: true }) }
      })
  }

  /** Those that are stored, and those that are added. */
  async #rowsOf(name: string): Promise<readonly Row[]> {
    const stored =
      this.#stored.get(name) ?? (await readRows(this.#ground.engine, name))?.filter(isObject) ?? []
    this.#stored.set(name, stored)
    const added = this.#added.get(name)
    return added ? [...stored, ...added.rows] : stored
  }
}

function rowsIn(outcome: unknown): readonly Row[] {
  return Array.isArray(outcome) ? outcome : []
}
