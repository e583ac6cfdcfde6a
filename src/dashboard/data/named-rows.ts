import { pathOf, withQuery } from '../client/query.ts'
import { isOk, send } from '../client/send.ts'
import { idField } from '../client/service.ts'
import { type Id, isId } from './keys.ts'
import { isName, NAME_FIELDS, nameOf, type Row, rowsOf } from './rows.ts'

/** A row as people choose it. */
export interface NamedRow {
  readonly id: Id
  readonly name: string
}

/** The fields with names that rows of a collection were seen with. */
const seenFields = new Map<string, readonly string[]>()

const MOST_FOUND = '20'

/** The rows with these ids; undefined if the server refuses. */
export function listById(resource: string, ids: readonly string[]): Promise<readonly NamedRow[] | undefined> {
  return list(
    resource,
    ids.map((id) => [idField(), id]),
  )
}

/**
 * The first rows with such an id or a name that contains the text, those first whose name begins with it; otherwise rows
 * with the text anywhere.
 */
export async function findRows(resource: string, text: string): Promise<readonly NamedRow[] | undefined> {
  const limit = ['_limit', MOST_FOUND] as const
  if (text === '' || !seenFields.has(resource)) {
    const first = await list(resource, [limit])
    if (text === '' || first === undefined) return first
  }
  const fields = seenFields.get(resource) ?? []
  const lists = (['startsWith', 'contains'] as const).map((operator) => {
    const byName = fields.map((field) => ({ [field]: { [operator]: text } }))
    const where = JSON.stringify({ or: [{ [idField()]: text }, ...byName] })
    return list(resource, [limit, ['_where', where], ['_sort', fields[0] ?? idField()]])
  })
  const [starting, containing] = await Promise.all(lists)
  if (!starting || !containing) return undefined
  const merged = new Map([...starting, ...containing].map((row) => [row.id, row]))
  return merged.size === 0
    ? list(resource, [limit, ['q', text]])
    : [...merged.values()].slice(0, Number(MOST_FOUND))
}

/** @param isWhole whether to load all fields of the rows: those with names are not known yet, or not enough */
async function list(
  resource: string,
  parameters: readonly (readonly [string, string])[],
  isWhole = !seenFields.has(resource),
): Promise<readonly NamedRow[] | undefined> {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]))
  const known = seenFields.get(resource) ?? []
  // Not all that may name a row: a strict server refuses fields that no row has.
  if (!isWhole) query.set('_fields', [idField(), ...known].join())
  const response = await send('GET', withQuery(pathOf(resource), query.toString()), { isRaw: true })
  const rows = rowsOf(response)
  if (!isOk(response) || rows === undefined) {
    seenFields.delete(resource)
    return undefined
  }
  if (!isWhole && !rows.every(hasName)) return list(resource, parameters, true)
  const seen = NAME_FIELDS.filter((field) => known.includes(field) || rows.some((row) => isName(row[field])))
  if (seen.length > 0) seenFields.set(resource, seen)
  return rows.flatMap((row) => {
    const id = row[idField()]
    return isId(id) ? [{ id, name: nameOf(row, id) }] : []
  })
}

function hasName(row: Row): boolean {
  return NAME_FIELDS.some((field) => isName(row[field]))
}
