import type { Request } from 'express'
import { StorageError } from '../catalogue/error-classes.ts'
import { parseEntityTags } from '../http/headers.ts'
import type { WriteOptions } from '../storage/change.ts'
import type { Question } from '../storage/question.ts'
import type { RouterContext } from './context.ts'
import { itemTag } from './response/item-tag.ts'

/**
 * Checks `If-Match` and, for a PUT, `If-None-Match` against the current row or object. The returned options make the
 * engine check again inside the commit: of several clients that read the same version, only one may change it.
 * @param mayCreate whether the write creates a missing row
 */
export async function precondition(
  { engine }: RouterContext,
  req: Request,
  question: Question<'item' | 'object'>,
  mayCreate = false,
): Promise<WriteOptions> {
  const wanted = parseEntityTags(req.headers['if-match'])
  const unwanted = req.method === 'PUT' ? parseEntityTags(req.headers['if-none-match']) : undefined
  if (!wanted && !unwanted) return {}
  const { found: row } = await engine.read(question)
  if (!row) {
    if (wanted && mayCreate) throw failed('There is no such item, though If-Match asks for one.')
    return {}
  }
  const tag = await itemTag(req, row)
  if (unwanted?.isAny || unwanted?.has(tag)) throw failed(IS_THERE)
  if (!wanted || wanted.isAny) return {}
  if (wanted.has(tag)) return { unchangedSince: row }
  throw failed(
    'The item is not the one that If-Match names. It was changed since, or the tag is not that of the plain item: get it ' +
      'again, without _embed, _expand or any other parameter, and send the ETag of that.',
  )
}

const IS_THERE = 'The item is there, though If-None-Match asks that it is not.'

function failed(message: string): StorageError {
  return new StorageError('PRECONDITION_FAILED', `${message} Nothing was changed.`)
}
