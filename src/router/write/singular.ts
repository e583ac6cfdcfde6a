import type { Request } from 'express'
import type { WriteOptions } from '../../storage/change.ts'
import { change, type RouterContext, type WriteResponse } from '../context.ts'
import { urlOf } from '../links.ts'
import { objectBody, textsOf } from './body.ts'
import { patchOf } from './patch-body.ts'
import type { Parent } from './plural.ts'

/** `POST /profile` and `PUT /profile` replace the object, `PATCH /profile` merges the body into it. */
export async function writeObject(
  context: RouterContext,
  req: Request,
  name: string,
  options: WriteOptions,
  parent?: Parent,
): Promise<WriteResponse> {
  const patch = patchOf(req)
  const body = patch ? {} : objectBody(req.body)
  const fields = parent ? { ...body, [parent.key]: parent.id } : body
  const kind = req.method === 'PATCH' ? 'merge-object' : 'replace-object'
  const data = patch
    ? await change(context, { kind: 'patch-object', name, patch }, options)
    : await change(context, { kind, name, fields }, { ...options, ...textsOf(req, parent?.key) })
  if (!data) return undefined
  return { data, row: data, ...(req.method === 'POST' && { status: 201, location: urlOf(req, name) }) }
}
