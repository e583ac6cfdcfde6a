import type { Request } from 'express'
import { requireRight } from '../storage/access/check-access.ts'
import type { Action } from '../storage/access/rights.ts'
import { foreignKey } from '../storage/relations/relations.ts'
import type { RouterContext, WriteResponse } from './context.ts'
import { precondition } from './precondition.ts'
import { isCollectionName, type Target } from './target.ts'
import { destroyMatching, updateMatching } from './write/filtered.ts'
import { create, destroy, type Parent, update } from './write/plural.ts'
import { writeObject } from './write/singular.ts'
import { isUpsert } from './write/upsert.ts'

/** For an OPTIONS request that no CORS layer answered. */
export const METHODS: Record<Target['kind'], string> = {
  collection: 'GET,POST,HEAD',
  item: 'GET,PUT,PATCH,DELETE,HEAD',
  object: 'GET,POST,PUT,PATCH,HEAD',
  children: 'GET,HEAD,POST',
  child: 'GET,PUT,PATCH,DELETE,HEAD',
}

export async function write(context: RouterContext, target: Target, req: Request): Promise<WriteResponse> {
  const { method } = req
  const action = actionOf(target, method)
  // First of all: what is wrong with a write is for clients that may write.
  if (action && context.access) requireRight(context.access, target.name, action)
  switch (target.kind) {
    case 'collection':
      return writeMany(context, req, target.name)
    case 'item':
      return writeItem(context, req, target)
    case 'object': {
      if (!isUpdate(req) && method !== 'POST') return undefined
      const { name } = target
      return writeObject(context, req, name, await precondition(context, req, { kind: 'object', name }))
    }
    case 'children':
      return writeChildren(context, target, req)
    case 'child': {
      // `/companies/9/products/10`: like `/products/10`, if it belongs to company 9.
      const { parent, parentId } = target
      if (!isCollectionName(context.engine, parent)) return undefined
      const within = { key: foreignKey(parent, context.engine.naming), id: parentId }
      return writeItem(context, req, target, within)
    }
  }
}

function actionOf(target: Target, method: string): Action | undefined {
  if (method === 'DELETE') return 'delete'
  const isObject = target.kind === 'object' || (target.kind === 'children' && !target.isCollection)
  if (method === 'POST') return isObject ? 'update' : 'create'
  return method === 'PUT' || method === 'PATCH' ? 'update' : undefined
}

async function writeItem(
  context: RouterContext,
  req: Request,
  { name, id }: { readonly name: string; readonly id: string },
  within?: Parent,
): Promise<WriteResponse> {
  if (req.method !== 'DELETE' && !isUpdate(req)) return undefined
  const question = { kind: 'item', collection: name, id, ...(within && { within }) } as const
  const options = await precondition(context, req, question, !within && isUpsert(context, req))
  const writeIt = req.method === 'DELETE' ? destroy : update
  return writeIt(context, req, name, id, within ? { ...options, within } : options)
}

/** Under a parent that is not a collection, nothing is stored: guards let `/health/1/products` pass. */
async function writeChildren(
  context: RouterContext,
  { name, isCollection, parent: parentName, id }: Target & { kind: 'children' },
  req: Request,
): Promise<WriteResponse> {
  if (!isCollectionName(context.engine, parentName)) return undefined
  const parent = { key: foreignKey(parentName, context.engine.naming), id }
  if (isCollection) return writeMany(context, req, name, parent)
  return req.method === 'POST' ? writeObject(context, req, name, {}, parent) : undefined
}

async function writeMany(
  context: RouterContext,
  req: Request,
  name: string,
  parent?: Parent,
): Promise<WriteResponse> {
  if (req.method === 'POST') return create(context, req, name, parent)
  if (req.method === 'PATCH') return updateMatching(context, req, name, parent)
  return req.method === 'DELETE' ? destroyMatching(context, req, name, parent) : undefined
}

export function isGetOrHead(req: Request): boolean {
  return req.method === 'GET' || req.method === 'HEAD'
}

function isUpdate(req: Request): boolean {
  return req.method === 'PUT' || req.method === 'PATCH'
}
