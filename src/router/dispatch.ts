import type { Request, Response } from 'express'
import { foreignKey } from '../storage/relations.ts'
import type { Answer, RouterContext } from './context.ts'
import { create, destroy, list, show, update } from './plural.ts'
import { showObject, writeObject } from './singular.ts'
import { servedName, type Target } from './target.ts'

/** For an OPTIONS request that no CORS handling answered. */
export const METHODS: Record<Target['kind'], string> = {
  collection: 'GET,POST,HEAD',
  item: 'GET,PUT,PATCH,DELETE,HEAD',
  object: 'GET,POST,PUT,PATCH,HEAD',
  children: 'GET,HEAD,POST',
}

/** Calls the one function that does what the method asks of the target; undefined is a 404. */
export function dispatch(
  context: RouterContext,
  target: Target,
  req: Request,
  res: Response,
): Answer | Promise<Answer> {
  switch (target.kind) {
    case 'collection':
      if (isRead(req)) return list(context, req, res, target.name)
      return req.method === 'POST' ? create(context, req, res, target.name) : undefined
    case 'item':
      if (isRead(req)) return show(context, req, res, target.name, target.id)
      if (req.method === 'DELETE') return destroy(context, req, res, target.name, target.id)
      return isUpdate(req) ? update(context, req, res, target.name, target.id) : undefined
    case 'object':
      if (isRead(req)) return showObject(context, req, res, target.name)
      return isUpdate(req) || req.method === 'POST' ? writeObject(context, req, res, target.name) : undefined
    case 'children':
      return serveChildren(context, target, req, res)
  }
}

/**
 * Under a parent that is no collection there is nothing to write, and nothing to read either: else
 * `/health/1/products`, which an API key guard lets pass, would reach the products.
 */
function serveChildren(
  context: RouterContext,
  { name, isCollection, parent: parentName, id }: Target & { kind: 'children' },
  req: Request,
  res: Response,
): Answer | Promise<Answer> {
  const parent = { key: foreignKey(parentName, context.store.naming), id }
  if (isRead(req) && isCollection) return list(context, req, res, name, parent)
  const known = servedName(context.store, parentName)
  if (known === undefined || context.store.kindOf(known) !== 'collection') return undefined
  if (isRead(req)) return showObject(context, req, res, name)
  if (req.method !== 'POST') return undefined
  return isCollection ? create(context, req, res, name, parent) : writeObject(context, req, res, name, parent)
}

export function isRead(req: Request): boolean {
  return req.method === 'GET' || req.method === 'HEAD'
}

function isUpdate(req: Request): boolean {
  return req.method === 'PUT' || req.method === 'PATCH'
}
