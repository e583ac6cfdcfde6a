import type { Request } from 'express'
import type { Within } from '../storage/question.ts'
import { requireRight } from '../storage/rules/check-access.ts'
import type { Action } from '../storage/rules/rights.ts'
import type { RouterContext, WriteResponse } from './context.ts'
import { destroyMatching, updateMatching } from './filtered-writes.ts'
import { precondition } from './precondition.ts'
import { create, destroy, update, writeObject } from './resource-writes.ts'
import { parentOf, type Target } from './target.ts'
import { isUpsert } from './upsert.ts'

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
  // First: validation errors are for clients that may write.
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
      const within = parentOf(context.engine, target.parent, target.parentId)
      return within && writeItem(context, req, target, within)
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
  within?: Within,
): Promise<WriteResponse> {
  if (req.method !== 'DELETE' && !isUpdate(req)) return undefined
  const question = { kind: 'item', collection: name, id, ...(within && { within }) } as const
  const options = await precondition(context, req, question, !within && isUpsert(context, req))
  const writeIt = req.method === 'DELETE' ? destroy : update
  return writeIt(context, req, name, id, within ? { ...options, within } : options)
}

/** Under a parent that is not a collection nothing is stored: `/health/1/products` passes guards. */
async function writeChildren(
  context: RouterContext,
  { name, isCollection, parent: parentName, id }: Target & { kind: 'children' },
  req: Request,
): Promise<WriteResponse> {
  const parent = parentOf(context.engine, parentName, id)
  if (!parent) return undefined
  if (isCollection) return writeMany(context, req, name, parent)
  return req.method === 'POST' ? writeObject(context, req, name, {}, parent) : undefined
}

async function writeMany(
  context: RouterContext,
  req: Request,
  name: string,
  parent?: Within,
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
