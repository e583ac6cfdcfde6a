import type { Request, Response } from 'express'
import type { Catalog } from '../../engine/engine.ts'
import { collectionsOf } from '../../engine/relations/relations.ts'
import { type Access, rightsIn } from '../../engine/rules/rights.ts'
import type { IgnoredPart } from '../../kernel/catalogue/exchange.ts'
import { addApplied, exposeTo, preferenceOf } from '../../kernel/http/headers.ts'
import { ignoredParts } from '../../kernel/http/request-context.ts'
import { isObject } from '../../kernel/json/values.ts'
import { findNearest, LONGEST_NAME } from '../../kernel/util/find-nearest.ts'
import { hasBody } from '../../layers/parts/read-body.ts'
import type { RenderableResult } from '../read.ts'
import { RequestError } from '../request-error.ts'
import { DATABASE, findTarget, servedName, type Target } from '../target.ts'
import { queryOf } from './query-string.ts'
import { FLAG_VALUES } from './words.ts'

/** Reports parameters without effect, or refuses the read: by `_strict`, else `Prefer: handling`, else the config. */
export function handleIgnored(
  { strict, notices }: { readonly strict: boolean; readonly notices: Notices },
  req: Request,
  res: Response,
  { ignored, isStrict, isIndifferent }: RenderableResult,
): void {
  const refuses = isIndifferent ? isStrict : handlingOf(req, res, isStrict)
  if (!ignored) return
  const { resource, parts } = ignored
  ignoredParts.set(req, parts)
  if (refuses ?? strict) {
    throw new RequestError('INVALID_QUERY', parts.slice(0, MOST_REPORTED).map(sentenceFor).join(' '))
  }
  notices.report(resource, parts)
}

/** Strictness as the client asks for it: `_strict`, else `Prefer: handling`, which the response then names as applied. */
function handlingOf(req: Request, res: Response, isStrict: boolean | undefined): boolean | undefined {
  if (isStrict !== undefined) return isStrict
  const preference = preferenceOf(req, 'handling', ['strict', 'lenient'])
  if (preference) addApplied(req, res, [`handling=${preference}`])
  return preference && preference === 'strict'
}

/** Reports a POST without a body, or refuses it as a parameter without effect would be. */
export function handleEmptyBody(
  { strict, notices }: { readonly strict: boolean; readonly notices: Notices },
  req: Request,
  res: Response,
  { name }: Target,
): void {
  const body: unknown = req.body
  const isEmpty = body === undefined || (isObject(body) && Object.keys(body).length === 0)
  if (req.method !== 'POST' || hasBody(req) || !isEmpty) return
  const part: IgnoredPart = { name: `POST /${name}`, reason: 'empty body' }
  ignoredParts.set(req, [part])
  if (handlingOf(req, res, FLAG_VALUES.get(queryOf(req)._strict)) ?? strict) {
    const message = `The request has no body; send a JSON object, such as {"name": "Desk"}, or {} for an empty one.`
    throw new RequestError('EMPTY_BODY', message)
  }
  notices.report(undefined, [part])
}

interface MissingContext {
  readonly engine: Catalog
  readonly notices: Notices
  readonly access?: Access | undefined
}

/**
 * Reports what was probably meant: another path or method, or an unreadable `_upsert` of an `unread` target. A 404 has
 * it as a header, too.
 */
export function handleMissing(
  { engine, notices, access }: MissingContext,
  req: Request,
  res: Response,
  unread?: Target,
): void {
  const mayRead = (name: string) => !access || rightsIn(access, name).read.reach !== 'none'
  const part = unread ? UPSERT : (wrongMethod(engine, req) ?? nearlyAResource(engine, req.path, mayRead))
  if (!part) return
  ignoredParts.set(req, [...(ignoredParts.get(req) ?? []), part])
  notices.report(unread?.name, [part])
  if (res.statusCode !== 404 || unread) return
  const nearest = part.suggestion?.toWellFormed().replace(/[^ -~]/gu, encodeURIComponent)
  res.setHeader('X-Mock-Hint', `nearest: ${nearest}`)
  exposeTo(req, res, ['X-Mock-Hint'])
}

/** Logs parameters without effect, once per resource and name. */
export class Notices {
  readonly #reported = new Set<string>()
  readonly #log: (line: string) => void

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  report(resource: string | undefined, ignored: readonly IgnoredPart[]): void {
    for (const part of ignored) {
      const key = `${resource ?? ''}\n${part.name}`
      if (this.#reported.size >= MOST_NAMES) return
      if (this.#reported.has(key)) continue
      this.#reported.add(key)
      const prefix = resource === undefined ? '' : `/${oneLine(resource)}: `
      this.#log(`${prefix}${sentenceFor(part)}`)
    }
  }
}

const MOST_NAMES = 1000

const UPSERT: IgnoredPart = { name: '_upsert', reason: 'unreadable value', suggestion: '_upsert=true' }

const MOST_REPORTED = 10

/** `PUT /posts`, which has to name an item, and `POST /posts/1`, which must not. */
function wrongMethod(catalog: Catalog, { method, path }: Request): IgnoredPart | undefined {
  const target = findTarget(catalog, path)
  if (!target || target.parent || method !== WITHOUT[target.kind]) return undefined
  const [name, item] = [`/${target.name}`, `/${target.name}/:id`]
  const [sent, meant] = target.kind === 'list' ? [name, item] : [item, name]
  return { name: `${method} ${sent}`, reason: 'wrong method', suggestion: `${method} ${meant}` }
}

const WITHOUT = { list: 'PUT', item: 'POST', object: undefined } as const

/** @param mayRead whether the client may know that there is a resource of this name */
function nearlyAResource(
  catalog: Catalog,
  path: string,
  mayRead: (name: string) => boolean,
): IgnoredPart | undefined {
  if (DATABASE.test(path)) return undefined
  const [, first = '', second, third, fourth] = path.split('/', 5)
  const name = [first, third].find((one) => one !== undefined && servedName(catalog, one) === undefined)
  if (name === undefined || name.length > LONGEST_NAME) return undefined
  const [plural] = collectionsOf(catalog, { embed: [name], expand: [] }).filter(mayRead)
  const suggestion = plural ?? findNearest(name, catalog.names().filter(mayRead))?.name
  return suggestion === undefined
    ? belowPrefix(catalog, [first, second, third, fourth], mayRead)
    : { name: `/${name}`, reason: 'unknown resource', suggestion: `/${suggestion}` }
}

/** `/api/v1/posts`, and `//posts`, as in `${base}/posts` with a base that ends in a slash. */
function belowPrefix(
  catalog: Catalog,
  [first = '', ...others]: readonly (string | undefined)[],
  mayRead: (name: string) => boolean,
): IgnoredPart | undefined {
  if (servedName(catalog, first) !== undefined) return undefined
  const at = others.findIndex((one) => {
    const name = one === undefined ? undefined : servedName(catalog, one)
    return name !== undefined && mayRead(name)
  })
  if (at < 0 || !others.slice(0, at).every((one) => PREFIX.test(one ?? ''))) return undefined
  const name = ['', first, ...others.slice(0, at + 1)].join('/')
  return { name, reason: 'unknown resource', suggestion: `/${others[at]}` }
}

/** Path segments to show in logs: any other may be an id, of which there are many, or a secret. */
const PREFIX = /^(?:api|rest|v\d{1,3})?$/i

/** With the name and a suggestion, never a value: it may be a secret. */
function sentenceFor({ name, reason, suggestion }: IgnoredPart): string {
  const hint = suggestion === undefined ? '' : ` Did you mean ${oneLine(suggestion)}?`
  return `${oneLine(name)} ${EFFECTS[reason] ?? `had no effect: ${reason}.`}${hint}`
}

const EFFECTS: Readonly<Record<string, string>> = {
  'unknown field': 'had no effect: no item has such a field.',
  'unknown relation': 'had no effect: there is no such relation.',
  'matches nothing': 'matched nothing: no item has such a field.',
  'unreadable value': 'has a value that cannot be read.',
  'another parameter wins': 'had no effect: another parameter takes precedence.',
  'another parameter is missing': 'had no effect on its own.',
  'compares whole lists': 'compares whole lists, not their entries.',
  'null is a string': 'looks for the string "null".',
  'undefined is a string': 'looks for the string "undefined".',
  'unknown resource': 'is not a resource.',
  'wrong method': 'is not possible.',
  'empty body': 'had no body, so there is nothing in it that the client sent.',
}

const LONGEST = 60

/** Names may contain line breaks and terminal colors. */
function oneLine(name: string): string {
  const short = name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?')
}
