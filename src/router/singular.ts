import type { Request, Response } from 'express'
import type { Draft } from '../storage/draft.ts'
import { objectBody } from './body.ts'
import type { Answer, RouterContext } from './context.ts'
import { urlOf } from './links.ts'
import type { Parent } from './plural.ts'
import { exposeHeaders } from './respond.ts'

/** `POST /profile` and `PUT /profile` put the body in its place, `PATCH /profile` merges it in. */
export async function writeObject(
  { store, isFake }: RouterContext,
  req: Request,
  res: Response,
  name: string,
  parent?: Parent,
): Promise<Answer> {
  const fields = parent ? { ...objectBody(req.body), [parent.key]: parent.id } : objectBody(req.body)
  const apply = (draft: Draft) => {
    const next = req.method === 'PATCH' ? { ...Object(draft.object(name)), ...fields } : fields
    draft.setObject(name, next)
    return next
  }
  const data = isFake ? store.pretend(apply) : await store.write(apply)
  if (req.method !== 'POST') {
    exposeHeaders(req, res)
    return { data }
  }
  res.setHeader('Location', urlOf(req, name))
  exposeHeaders(req, res, 'Location')
  return { status: 201, data }
}
