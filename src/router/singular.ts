import type { Request } from 'express'
import { objectBody } from './body.ts'
import { type Answer, change, type RouterContext } from './context.ts'
import { urlOf } from './links.ts'
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
    const next = req.method === 'PATCH' ? { ...Object(draft.object(name)), ...fields } : fields
    draft.setObject(name, next)
    return next
  })
  return req.method === 'POST' ? { status: 201, data, location: urlOf(req, name) } : { data }
}
