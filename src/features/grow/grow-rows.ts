import type { Request } from 'express'
import { declaredOf } from '../../core/config/declared-of.ts'
import type { Cause, WriteOptions } from '../../core/engine/change.ts'
import type { EngineAccess } from '../../core/engine/engine.ts'
import { engineFor } from '../../core/engine/engine-for.ts'
import { rightsIn } from '../../core/engine/rules/rights.ts'
import type { Row } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import type { GrownRows } from '../../core/kernel/catalogue/grown-rows.ts'
import { count } from '../../core/kernel/json/limits.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { findNearest } from '../../core/kernel/util/find-nearest.ts'
import { objectOrArrayBody } from '../../core/router/write-body.ts'
import type { Served } from '../feature.ts'
import type { Insert } from './additions.ts'
import { type Ground, Growth, type WantedRows } from './growth.ts'

/** Rows of one request: more would keep other writes waiting. */
const MOST_ROWS = 100_000

/** Adds rows by the rights of the client of a request. */
export async function growFor(
  { config, engine: all, schemas, accessOf, sealOf, causeOf }: Served,
  req: Request,
  body: unknown,
  seed: number | undefined,
): Promise<object> {
  const access = accessOf?.(req)
  const engine = access ? engineFor(all, access) : all
  const ground = {
    engine,
    rules: all.rules,
    declaredOf: (name: string) => declaredOf(config, schemas, name),
    fixedIn: access && ((name: string) => rightsIn(access, name).fixed.map(({ field }) => field)),
  }
  const seal = sealOf?.(req)
  const grown = await growRows(body, ground, {
    most: MOST_ROWS,
    seed,
    cause: causeOf(req),
    seal: seal && ((insert) => seal(insert, { engine, access })),
  })
  return { version: all.history.version, ...grown }
}

export interface GrowRowsOptions {
  /** How many rows may be added. */
  readonly most: number
  /** By default, the number of rows: the same data grows alike, and goes on with other rows. */
  readonly seed?: number | undefined
  readonly cause?: Cause | undefined
  /** Hashes passwords among the fields that are sent. */
  readonly seal?: ((insert: Insert) => Promise<Pick<WriteOptions, 'seals'>> | undefined) | undefined
}

/** Others may take an id, or a unique value, before the rows are stored. */
const MOST_ROUNDS = 5
const RACES: ReadonlySet<string> = new Set(['DUPLICATE_ID', 'NOT_UNIQUE', 'VALIDATION_FAILED'])

/**
 * Adds rows like those that are there, with the parents that they miss, in one commit.
 * @param sent what to add: `{ "products": 500, "companies": [{ "name": "Acme" }] }`
 */
export async function growRows(sent: unknown, ground: Ground, options: GrowRowsOptions): Promise<GrownRows> {
  const { engine } = ground
  const wanted = readWanted(sent, engine, options.most)
  for (let round = 1; ; round++) {
    await engine.catchUp()
    const { state } = engine
    try {
      return await growOnce(wanted, ground, options)
    } catch (error) {
      const isRace = error instanceof StorageError && RACES.has(error.code) && engine.state !== state
      if (!isRace || round === MOST_ROUNDS) throw error
    }
  }
}

async function growOnce(
  wanted: WantedRows,
  ground: Ground,
  { seed, cause, seal }: GrowRowsOptions,
): Promise<GrownRows> {
  const sealed = []
  for (const [collection, rows] of wanted) {
    if (typeof rows !== 'number') sealed.push(await seal?.({ kind: 'insert', collection, rows }))
  }
  const write = { ...cause, seals: sealed.flatMap((each) => each?.seals ?? []) }
  const growth = new Growth(ground, wanted, write, seed)
  for (const name of wanted.keys()) await growth.addWanted(name)
  const stored = await growth.additions.commit()
  const counts = [...stored].map(([name, rows]) => [name, rows.length])
  const sent = [...growth.positions].map(([name, { start, count }]) => {
    return [name, stored.get(name)?.slice(start, start + count) ?? []]
  })
  return { created: Object.fromEntries(counts), rows: Object.fromEntries(sent) }
}

/** Throws what is wrong with it. */
function readWanted(sent: unknown, engine: EngineAccess, most: number): WantedRows {
  if (!isObject(sent) || Object.keys(sent).length === 0) throw invalid(`Say how many rows: ${EXAMPLE}.`)
  const wanted = new Map<string, number | readonly Row[]>()
  let total = 0
  for (const [name, rows] of Object.entries(sent)) {
    checkCollection(name, engine)
    if (Array.isArray(rows) && rows.every(isObject))
      wanted.set(name, [objectOrArrayBody(rows, engine.naming.id)].flat())
    else if (typeof rows === 'number' && Number.isSafeInteger(rows) && rows > 0) wanted.set(name, rows)
    else
      throw invalid(
        `${name} must be a number of rows, from 1 to ${count(most)}, or a list of rows to fill in.`,
      )
    total += Array.isArray(rows) ? rows.length : rows
  }
  if (total > most) throw invalid(`At most ${count(most)} rows can be added at a time, not ${count(total)}.`)
  return wanted
}

const EXAMPLE = '{"products": 500}'

function checkCollection(name: string, engine: EngineAccess): void {
  const kind = engine.kindOf(name)
  if (kind === 'collection') return
  if (kind === 'object') throw invalid(`${name} is a single object: rows can only be added to collections.`)
  const collections = engine.names().filter((each) => engine.kindOf(each) === 'collection')
  const near = findNearest(name, collections)?.name
  const hint = near === undefined ? `Known are ${collections.join(', ') || 'none'}.` : `Did you mean ${near}?`
  throw new StorageError('RESOURCE_NOT_FOUND', `There is no collection called ${name}. ${hint}`)
}

function invalid(message: string): StorageError {
  return new StorageError('INVALID_BODY', message)
}
