import type { Request } from 'express'
import { foreignKey } from '../storage/relations/relations.ts'
import type { Answer, RouterContext } from './context.ts'
import { isCollectionName, type Target } from './target.ts'
import { create, destroy, update } from './write/plural.ts'
import { writeObject } from './write/singular.ts'

/** For an OPTIONS request that no CORS handling answered. */
export const METHODS: Record<Target['kind'], string> = {
  collection: 'GET,POST,HEAD',
  item: 'GET,PUT,PATCH,DELETE,HEAD',
  object: 'GET,POST,PUT,PATCH,HEAD',
  children: 'GET,HEAD,POST',
}

/** Calls the one function that does what the method asks of the target; undefined is a 404. */
export async function write(context: RouterContext, target: Target, req: Request): Promise<Answer> {
  const { method } = req
  switch (target.kind) {
    case 'collection':
      return method === 'POST' ? create(context, req, target.name) : undefined
    case 'item':
      if (method === 'DELETE') return destroy(context, req, target.name, target.id)
      return isUpdate(req) ? update(context, req, target.name, target.id) : undefined
    case 'object':
      return isUpdate(req) || method === 'POST' ? writeObject(context, req, target.name) : undefined
    case 'children':
      return method === 'POST' ? createChild(context, target, req) : undefined
  }
}

/** Under a parent that is no collection nothing is stored: guards let `/health/1/products` pass. */
async function createChild(
  context: RouterContext,
  { name, isCollection, parent: parentName, id }: Target & { kind: 'children' },
  req: Request,
): Promise<Answer> {
  if (!isCollectionName(context.engine, parentName)) return undefined
  const parent = { key: foreignKey(parentName, context.engine.naming), id }
  return isCollection ? create(context, req, name, parent) : writeObject(context, req, name, parent)
}

export function isGetOrHead(req: Request): boolean {
  return req.method === 'GET' || req.method === 'HEAD'
}

function isUpdate(req: Request): boolean {
  return req.method === 'PUT' || req.method === 'PATCH'
}
