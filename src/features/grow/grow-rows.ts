import type { Request } from 'express'
import { declaredOf } from '../../config/declared-of.ts'
import type { Cause } from '../../core/engine/change.ts'
import type { Engine } from '../../core/engine/engine.ts'
import { idOf } from '../../core/engine/id-of.ts'
import type { Row } from '../../core/engine/types.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import type { GrownRows } from '../../core/kernel/catalogue/grown-rows.ts'
import { SERVER_ITSELF, USER_HEADER } from '../../core/kernel/http/request-context.ts'
import { worldOf } from '../../core/kernel/http/world.ts'
import { count } from '../../core/kernel/json/limits.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { findNearest } from '../../core/kernel/util/find-nearest.ts'
import type { PasswordHasher } from '../../core/router/context.ts'
import { objectOrArrayBody } from '../../core/router/write-body.ts'
import type { Served } from '../feature.ts'
import { type Ground, Growth, type WantedRows } from './growth.ts'

/** Rows of one request: more would keep other writes waiting. */
const MOST_ROWS = 100_000

/** Adds rows by the rights of the client of a request, or of the server itself, if the client may act as anybody. */
export async function growFor(
  { config, engine, schemas, accessOf, sealOf, causeOf }: Served,
  req: Request,
  seed: number | undefined,
): Promise<object> {
  const isForServer = worldOf(req).name !== undefined && req.get(USER_HEADER) === SERVER_ITSELF
  const isPersona = config.layers.accounts?.persona === true
  const ground = {
    engine,
    access: isForServer && isPersona ? undefined : accessOf?.(req),
    declaredOf: (name: string) => declaredOf(config, schemas, name),
  }
  const options = { most: MOST_ROWS, seed, cause: causeOf(req), seal: sealOf?.(req) }
  const grown = await growRows(req.body, ground, options).catch((error: unknown) => {
    throw isForServer && !isPersona ? withSetting(error) : error
  })
  return { version: engine.history.version, ...grown }
}

/** Says how rows can be added for the server itself. */
function withSetting(error: unknown): unknown {
  if (!(error instanceof StorageError) || !error.code.startsWith('AUTH_')) return error
  const remedy = 'To create rows for the server, set "accounts": { "persona": true }.'
  return new StorageError(error.code, `${error.message} ${remedy}`, { cause: error })
}

export interface GrowRowsOptions {
  /** How many rows may be added. */
  readonly most: number
  /** By default, the number of rows: the same data grows alike, and goes on with other rows. */
  readonly seed?: number | undefined
  readonly cause?: Cause | undefined
  /** Hashes passwords among the fields that are sent. */
  readonly seal?: PasswordHasher | undefined
}

/**
 * Adds rows like those that are there, with the parents that they miss, in one commit.
 * @param sent what to add: `{ "products": 500, "companies": [{ "name": "Acme" }] }`
 */
export async function growRows(
  sent: unknown,
  ground: Ground,
  { most, seed, cause, seal }: GrowRowsOptions,
): Promise<GrownRows> {
  const { engine, access } = ground
  await engine.catchUp()
  const wanted = readWanted(sent, engine, most)
  const seals: (readonly [string, string])[] = []
  for (const [collection, rows] of wanted) {
    const insert = typeof rows === 'number' ? undefined : ({ kind: 'insert', collection, rows } as const)
    const sealed = insert && (await seal?.(insert, { engine, access }))
    seals.push(...(sealed?.seals ?? []))
  }
  return engine.transact(
    async (transaction) => {
      const growth = new Growth(ground, transaction, wanted, { ...cause, access, seals }, seed)
      for (const name of wanted.keys()) await growth.addWanted(name)
      return { created: Object.fromEntries(growth.created), rows: Object.fromEntries(growth.filled) }
    },
    { ...cause, access },
  )
}

/** Throws what is wrong with it. */
function readWanted(sent: unknown, engine: Engine, most: number): WantedRows {
  if (!isObject(sent) || Object.keys(sent).length === 0) throw invalid(`Say how many rows: ${EXAMPLE}.`)
  const wanted = new Map<string, number | readonly Row[]>()
  let total = 0
  for (const [name, rows] of Object.entries(sent)) {
    checkCollection(name, engine)
    if (Array.isArray(rows) && rows.every(isObject))
      wanted.set(name, [objectOrArrayBody(rows, idOf(name, engine.naming))].flat())
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

function checkCollection(name: string, engine: Engine): void {
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
