import { StorageError } from '../../catalogue/error-classes.ts'
import { isObject } from '../../json/values.ts'
import { objectOrArrayBody } from '../../router/write-body.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import type { Row } from '../../storage/types.ts'
import { nearest } from '../config/spelling.ts'

/** The rows to add to each collection: how many, or some fields of each. */
export type WantedRows = ReadonlyMap<string, number | readonly Row[]>

/** Reads `{ "products": 500, "companies": [{ "name": "Acme" }] }`. Throws what is wrong with it. */
export function readWanted(body: unknown, engine: EngineAccess, most: number): WantedRows {
  if (!isObject(body) || Object.keys(body).length === 0) throw invalid(`Say how many rows: ${EXAMPLE}.`)
  const wanted = new Map<string, number | readonly Row[]>()
  let total = 0
  for (const [name, rows] of Object.entries(body)) {
    checkCollection(name, engine)
    if (Array.isArray(rows) && rows.every(isObject))
      wanted.set(name, [objectOrArrayBody(rows, engine.naming.id)].flat())
    else if (typeof rows === 'number' && Number.isSafeInteger(rows) && rows > 0) wanted.set(name, rows)
    else
      throw invalid(
        `${name} must be a number of rows, from 1 to ${written(most)}, or a list of rows to fill in.`,
      )
    total += Array.isArray(rows) ? rows.length : rows
  }
  if (total > most)
    throw invalid(`At most ${written(most)} rows can be added at a time, not ${written(total)}.`)
  return wanted
}

const EXAMPLE = '{"products": 500}'

function checkCollection(name: string, engine: EngineAccess): void {
  const kind = engine.kindOf(name)
  if (kind === 'collection') return
  if (kind === 'object') throw invalid(`${name} is a single object: rows can only be added to collections.`)
  const collections = engine.names().filter((each) => engine.kindOf(each) === 'collection')
  const near = nearest(name, collections)
  const hint = near === undefined ? `Known are ${collections.join(', ') || 'none'}.` : `Did you mean ${near}?`
  throw new StorageError('RESOURCE_NOT_FOUND', `There is no collection called ${name}. ${hint}`)
}

function invalid(message: string): StorageError {
  return new StorageError('INVALID_BODY', message)
}

function written(count: number): string {
  return count.toLocaleString('en-US')
}
