import type { EngineAccess } from './engine.ts'
import { EVERY_ROW } from './query/select.ts'
import type { Access } from './rules/rights.ts'
import type { Data, ListQuery, Row } from './types.ts'

/** All rows of a collection, or the first few; undefined if it does not exist. */
export async function readRows(
  engine: Pick<EngineAccess, 'read'>,
  collection: string,
  most = Number.POSITIVE_INFINITY,
  access?: Access,
): Promise<readonly Row[] | undefined> {
  const window: ListQuery['window'] = Number.isFinite(most) ? { kind: 'limit', count: most } : { kind: 'all' }
  const question = { kind: 'list', collection, query: { ...EVERY_ROW, window } } as const
  const { found } = await engine.read(question, { access })
  const rows = found?.rows
  return rows && 'toArray' in rows ? rows.toArray() : rows
}

interface Values {
  readonly values: readonly Row[]
  readonly isCurrent: () => boolean
}

export async function readValues(engine: EngineAccess, name: string): Promise<Values> {
  if (engine.kindOf(name) !== 'collection') {
    const { found, isCurrent } = await engine.read({ kind: 'object', name })
    return { values: found === undefined ? [] : [found], isCurrent }
  }
  const { found, isCurrent } = await engine.read({ kind: 'list', collection: name, query: EVERY_ROW })
  const rows = found?.rows ?? []
  return { values: 'toArray' in rows ? rows.toArray() : rows, isCurrent }
}

export async function countRows(engine: EngineAccess, collection: string): Promise<number | undefined> {
  const query: ListQuery = { ...EVERY_ROW, window: { kind: 'limit', count: 0 } }
  return (await engine.read({ kind: 'list', collection, query })).found?.total
}

export function countItems(data: Data): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.length]] : [])),
  )
}
