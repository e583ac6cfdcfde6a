import type { Request } from 'express'
import type { Row } from '../../storage/types.ts'
import { type Answer, change, type RouterContext } from '../context.ts'
import { urlOf } from '../links.ts'
import { checkMerge, objectBody } from './body.ts'
import type { Parent } from './plural.ts'

/** `POST /profile` and `PUT /profile` put the body in its place, `PATCH /profile` merges it in. */
export async function writeObject(
  context: RouterContext,
  req: Request,
  name: string,
  parent?: Parent,
): Promise<Answer> {
  const fields = parent ? { ...objectBody(req.body), [parent.key]: parent.id } : objectBody(req.body)
  const data = await change(context, (draft) => {
    const old: Row = req.method === 'PATCH' ? Object(draft.object(name)) : {}
    checkMerge(old, fields)
    const next = req.method === 'PATCH' ? { ...old, ...fields } : fields
    draft.setObject(name, next)
    return next
  })
  return req.method === 'POST' ? { status: 201, data, location: urlOf(req, name) } : { data }
}
