import type { Request } from 'express'
import { type Answer, change, type RouterContext } from '../context.ts'
import { urlOf } from '../links.ts'
import { objectBody } from './body.ts'
import type { Parent } from './plural.ts'

/** `POST /profile` and `PUT /profile` put the body in its place, `PATCH /profile` merges it in. */
export async function writeObject(
  context: RouterContext,
  req: Request,
  name: string,
  parent?: Parent,
): Promise<Answer> {
  const fields = parent ? { ...objectBody(req.body), [parent.key]: parent.id } : objectBody(req.body)
  const kind = req.method === 'PATCH' ? 'merge-object' : 'replace-object'
  const data = await change(context, { kind, name, fields })
  if (!data) return undefined
  return req.method === 'POST' ? { status: 201, data, location: urlOf(req, name) } : { data }
}
