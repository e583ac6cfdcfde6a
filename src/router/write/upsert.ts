import type { Request } from 'express'
import { StorageError } from '../../catalogue/error-classes.ts'
import type { WriteOptions } from '../../storage/change.ts'
import type { Row } from '../../storage/types.ts'
import { change, type RouterContext, type WriteResponse } from '../context.ts'
import { urlOf } from '../links.ts'
import { queryOf } from '../query/query-string.ts'
import { checkId, textsOf } from './body.ts'

/** `PUT /products/999?_upsert=true`, or every PUT of an item if the router is configured so. */
export function isUpsert({ upsert }: RouterContext, req: Request): boolean {
  if (req.method !== 'PUT') return false
  const mayAsk = req.url.includes('_upsert') || Object.hasOwn(req, 'query')
  const asked = mayAsk ? queryOf(req)._upsert : undefined
  return asked === undefined ? upsert : asked === 'true'
}

/** Whether it was asked for, in a way that nobody understands: `_upsert=1`. */
export function isUpsertUnread(req: Request): boolean {
  const asked = req.method === 'PUT' ? queryOf(req)._upsert : undefined
  return asked !== undefined && asked !== 'true' && asked !== 'false'
}

/** How often an item may come and go while it is written. */
const MOST_ROUNDS = 8

export async function upsertItem(
  context: RouterContext,
  req: Request,
  place: { readonly collection: string; readonly id: string },
  fields: Row,
  options: WriteOptions,
): Promise<WriteResponse> {
  const { collection, id } = place
  const key = context.engine.naming.id
  const mustBeNew = req.headers['if-none-match']?.trim() === '*'
  const row = { ...fields, [key]: await idLike(context, collection, id) }
  checkId(row, key)
  for (let rounds = 1; ; rounds++) {
    const replaced = mustBeNew
      ? undefined
      : await change(context, { kind: 'replace', ...place, fields }, { ...options, ...textsOf(req) })
    if (replaced) return { data: replaced, row: replaced }
    if (options.unchangedSince) throw failed('The item that If-Match names was deleted meanwhile.')
    try {
      const wanted = { kind: 'insert', collection, rows: [row], keepsIds: true } as const
      const [created] = (await change(context, wanted, textsOf(req, key))) ?? []
      return created && { status: 201, data: created, row: created, location: urlOf(req, collection, id) }
    } catch (error) {
      if (!(error instanceof StorageError && error.code === 'DUPLICATE_ID')) throw error
      if (mustBeNew) throw failed('The item is there, though If-None-Match asks that it is not.')
      // Another request created it in the meantime, so now it can be replaced. Or it is there for others only.
      if (rounds >= MOST_ROUNDS) throw error
    }
  }
}

/** The id as a number if other rows have numbers. */
async function idLike({ engine }: RouterContext, collection: string, id: string): Promise<string | number> {
  const number = Number(id)
  if (!Number.isFinite(number) || String(number) !== id) return id
  const window = { kind: 'limit', count: 1 } as const
  const query = { where: [], sort: [], window, embed: [], expand: [] }
  const { found } = await engine.read({ kind: 'list', collection, query })
  const first = found?.rows.at(0)
  return first === undefined || typeof first[engine.naming.id] === 'number' ? number : id
}

function failed(message: string): StorageError {
  return new StorageError('PRECONDITION_FAILED', `${message} Nothing was changed.`)
}
