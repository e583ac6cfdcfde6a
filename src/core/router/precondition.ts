import type { Request } from 'express'
import type { WriteOptions } from '../engine/change.ts'
import type { Question } from '../engine/question.ts'
import type { Row } from '../engine/types.ts'
import { StorageError } from '../kernel/catalogue/error-classes.ts'
import { parseEntityTags } from '../kernel/http/headers.ts'
import type { RouterContext } from './context.ts'
import { renderResponse } from './response/render-response.ts'
import type { Shapes } from './shape.ts'
import { writesPlainJson } from './show.ts'

/**
 * Checks `If-Match` and, for a PUT, `If-None-Match`. The returned options make the engine check again inside the
 * commit, so that of several clients with the same version only one can change it. @param mayCreate whether the write
 * creates a missing row
 */
export async function precondition(
  { engine, shapes }: RouterContext,
  req: Request,
  question: Question<'item' | 'object'>,
  mayCreate = false,
): Promise<WriteOptions> {
  const ifMatch = parseEntityTags(req.headers['if-match'])
  const ifNoneMatch = req.method === 'PUT' ? parseEntityTags(req.headers['if-none-match']) : undefined
  if (!ifMatch && !ifNoneMatch) return {}
  const { found: row } = await engine.read(question)
  if (!row) {
    if (ifMatch && mayCreate) throw preconditionFailed('There is no such item, though If-Match asks for one.')
    return {}
  }
  const tag = await itemTag(req, row, shapes)
  if (ifNoneMatch?.isAny || ifNoneMatch?.has(tag)) throw preconditionFailed(EXISTS)
  if (!ifMatch || ifMatch.isAny) return {}
  if (ifMatch.has(tag)) return { unchangedSince: row }
  throw preconditionFailed(
    'The item is not the one that If-Match names. It was changed since, or the tag is not that of the plain item: get it ' +
      'again, without _embed, _expand or any other parameter, and send the ETag of that.',
  )
}

export const EXISTS = 'The item is there, though If-None-Match asks that it is not.'

export function preconditionFailed(message: string): StorageError {
  return new StorageError('PRECONDITION_FAILED', `${message} Nothing was changed.`)
}

/** The ETag of a plain GET of an item; '' if it is sent without. */
export async function itemTag(req: Request, row: Row, shapes: Shapes | undefined): Promise<string> {
  const { app } = req
  const data = shapes ? shapes.item(req, row) : row
  if (writesPlainJson(app)) {
    const response = await renderResponse({ data, isCurrent: () => false })
    return 'etag' in response ? response.etag : ''
  }
  const etagOf: unknown = app.get('etag fn')
  return typeof etagOf === 'function' ? String(etagOf(Buffer.from(asExpressWrites(app, data)), 'utf8')) : ''
}

function asExpressWrites({ settings }: Request['app'], data: unknown): string {
  const text = JSON.stringify(data, settings['json replacer'], settings['json spaces'])
  if (!settings['json escape']) return text
  return text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
}
