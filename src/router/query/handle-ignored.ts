import type { Request, Response } from 'express'
import type { IgnoredPart } from '../../catalogue/exchange.ts'
import { addApplied, preferencesOf } from '../../http/headers.ts'
import { ignoredIn, recordIgnored } from '../../http/request-context.ts'
import type { Catalog } from '../../storage/engine/engine.ts'
import { collectionsOf } from '../../storage/relations/relations.ts'
import type { RouterContext } from '../context.ts'
import type { Reading } from '../read.ts'
import { RequestError } from '../request-error.ts'
import { servedName, type Target } from '../target.ts'
import { sentenceFor } from './notices.ts'
import { findNearest, LONGEST_NAME } from './suggest.ts'

/** Reports parameters without effect, or refuses the read: by `_strict`, else `Prefer: handling`, else the config. */
export function handleIgnored(
  { strict, notices }: RouterContext,
  req: Request,
  res: Response,
  { ignored, isStrict, isIndifferent }: Reading,
): void {
  const preference = isStrict === undefined && !isIndifferent ? handlingOf(req) : undefined
  if (preference) addApplied(req, res, [`handling=${preference}`])
  if (!ignored) return
  const { resource, parts } = ignored
  recordIgnored(req, parts)
  if (isStrict ?? (preference ? preference === 'strict' : strict)) {
    throw new RequestError('INVALID_QUERY', parts.slice(0, MOST_REPORTED).map(sentenceFor).join(' '))
  }
  notices.report(resource, parts)
}

/** Reports the path that was probably meant, or an unreadable `_upsert` of an `unread` target. */
export function handleMissing({ engine, notices }: RouterContext, req: Request, unread?: Target): void {
  const part = unread ? UPSERT : nearlyAResource(engine, req.path)
  if (!part) return
  recordIgnored(req, [...(ignoredIn(req) ?? []), part])
  notices.report(unread?.name, [part])
}

const UPSERT: IgnoredPart = { name: '_upsert', reason: 'unreadable value', suggestion: '_upsert=true' }

const MOST_REPORTED = 10

function handlingOf(req: Request): 'strict' | 'lenient' | undefined {
  if (req.headers.prefer === undefined) return undefined
  const handling = preferencesOf(req).get('handling')
  return handling === 'strict' || handling === 'lenient' ? handling : undefined
}

function nearlyAResource(catalog: Catalog, path: string): IgnoredPart | undefined {
  const [, first = '', , third] = path.split('/', 4)
  const name = [first, third].find((one) => one !== undefined && servedName(catalog, one) === undefined)
  if (name === undefined || name === '' || name.length > LONGEST_NAME) return undefined
  const [plural] = collectionsOf(catalog, { embed: [name], expand: [] })
  const suggestion = plural ?? findNearest(name, catalog.names())?.name
  return suggestion === undefined
    ? undefined
    : { name: `/${name}`, reason: 'unknown resource', suggestion: `/${suggestion}` }
}
