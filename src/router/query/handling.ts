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
import { findNearest, LONGEST_NAME } from './nearest.ts'
import { sentenceFor } from './notices.ts'

/** Says what of a read had no effect, or refuses it: as the URL says, else `Prefer: handling`, else the config. */
export function handleIgnored(
  { strict, notices }: RouterContext,
  req: Request,
  res: Response,
  { ignored, isStrict, isIndifferent }: Reading,
): void {
  const wish = isStrict === undefined && !isIndifferent ? handlingOf(req) : undefined
  if (wish) addApplied(req, res, [`handling=${wish}`])
  if (!ignored) return
  const { resource, parts } = ignored
  recordIgnored(req, parts)
  if (isStrict ?? (wish ? wish === 'strict' : strict)) {
    throw new RequestError('INVALID_QUERY', parts.slice(0, MOST_SAID).map(sentenceFor).join(' '))
  }
  notices.say(resource, parts)
}

/** Says which path was probably meant, or which `_upsert` by the write of an `unread` item. */
export function handleMissing({ engine, notices }: RouterContext, req: Request, unread?: Target): void {
  const part = unread ? UPSERT : nearlyAResource(engine, req.path)
  if (!part) return
  recordIgnored(req, [...(ignoredIn(req) ?? []), part])
  notices.say(unread?.name, [part])
}

const UPSERT: IgnoredPart = { name: '_upsert', reason: 'unreadable value', suggestion: '_upsert=true' }

/** In one message. */
const MOST_SAID = 10

function handlingOf(req: Request): 'strict' | 'lenient' | undefined {
  if (req.headers.prefer === undefined) return undefined
  const wish = preferencesOf(req).get('handling')
  return wish === 'strict' || wish === 'lenient' ? wish : undefined
}

/** What a path that leads nowhere was probably meant to be: `/posts` for `/post`, `/companies` for `/company/1`. */
function nearlyAResource(catalog: Catalog, path: string): IgnoredPart | undefined {
  const [, first = '', , third] = path.split('/', 4)
  const name = [first, third].find((one) => one !== undefined && servedName(catalog, one) === undefined)
  if (name === undefined || name === '' || name.length > LONGEST_NAME) return undefined
  const [plural] = collectionsOf(catalog, { embed: [name], expand: [] })
  const meant = plural ?? findNearest(name, catalog.names())?.name
  return meant === undefined
    ? undefined
    : { name: `/${name}`, reason: 'unknown resource', suggestion: `/${meant}` }
}
