import type { Request, Response } from 'express'
import { shapeErrors } from '../../http/error-shape.ts'
import { addApplied, prefersPlain } from '../../http/headers.ts'
import { inStyle } from '../../shape/key-style.ts'
import type { ResponseShape, ResponseShapes } from '../../shape/response-shape.ts'
import type { ShapeTemplate } from '../../shape/shape-template.ts'
import type { Values } from '../../shape/template.ts'
import type { Engine } from '../../storage/engine/engine.ts'
import { collectionsOf } from '../../storage/relations/relations.ts'
import { type PageParameter, plainUrl } from '../links.ts'
import { readDialect } from '../query/dialects.ts'
import { isGiven } from '../query/parameter-values.ts'
import { parseRelations } from '../query/parse-query.ts'
import { type Query, queryOf, setQuery } from '../query/query-string.ts'
import { findTarget } from '../target.ts'
import { errorShape } from './shape-error.ts'
import { type Stored, storedNames, withStoredNames } from './stored-names.ts'
import { type Translation, translateQuery } from './translate-query.ts'

/** How the response to a request looks, and what its query and body mean. */
export interface RequestShape extends Translation {
  readonly shape: ResponseShape
  readonly resource: string
  readonly id: string
  readonly stored: Stored | undefined
  /** The relations that it asks for, by name, with their collections, if they stand beside the rows. */
  readonly relations: ReadonlyMap<string, string>
  readonly pageParameter: PageParameter
  /** Tells responses of equal URLs apart that look different. */
  readonly cachePrefix: string
}

const shapes = new WeakMap<Request, RequestShape>()
let hasShapes = false

/** Costs one comparison until a router has a shape. */
export function shapeOf(req: Request): RequestShape | undefined {
  return hasShapes ? shapes.get(req) : undefined
}

/** Call first: queries are read in the words of the shape from then on, and errors are sent in it. */
export async function enterShape(
  all: ResponseShapes,
  engine: Engine,
  req: Request,
  res: Response,
): Promise<void> {
  hasShapes = true
  if (prefersPlain(req) || req.url.startsWith('/__')) {
    shapeErrors(res, undefined)
    if (prefersPlain(req)) addApplied(req, res, ['shape=none'])
    return
  }
  const timeOf = () => new Date(engine.now()).toISOString()
  const spoken = new Map<string, string>()
  let sent: Translation['sent'] = spoken
  let shape = all.server
  shapeErrors(res, () => errorShape(shape, req, timeOf, new Map([...spoken, ...sent])))
  const resource = findTarget(engine, req.path)?.name
  shape = all.of(resource)
  if (!shape || DATABASE.test(req.path)) return
  const { template } = shape
  const stored =
    template.keys && resource !== undefined
      ? recording(await storedNames(engine, resource, template.keys), spoken)
      : undefined
  const { id } = engine.naming
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  const ownTemplate = isRead ? template : withoutPages(template)
  const translation = translated(queryOf(req), ownTemplate, stored, resource ?? '', id)
  setQuery(req, translation.query)
  sent = translation.sent
  const { params = {}, pages: { from = 1 } = {} } = template
  shapes.set(req, {
    ...translation,
    shape,
    resource: resource ?? '',
    id,
    stored,
    relations: shape.separatesRelations ? relationsIn(translation.query, engine) : NONE,
    pageParameter: parameterFor('_page', params.page, from, translation),
    cachePrefix: shape.hasLinks ? `${plainUrl(req)}\n${req.originalUrl}\n` : 'shaped\n',
  })
}

/** Notes down the client's words for what is stored under other names, for messages. */
function recording(stored: Stored, spoken: Map<string, string>): Stored {
  return (name) => {
    const own = stored(name)
    if (own !== name) spoken.set(own, name)
    return own
  }
}

/** What leads to other pages: the parameter that the client used, else that of the shape. */
export function parameterFor(
  ours: '_page' | '_start',
  theirs: string | undefined,
  from: number,
  { query, sent }: Translation,
): PageParameter {
  const isOurs = theirs === undefined || (isGiven(query[ours]) && !sent.has(ours))
  return isOurs ? { name: ours, from: 1 } : { name: theirs, from }
}

const NONE: ReadonlyMap<string, string> = new Map()

const DATABASE = /^\/db\/?$/i

/** What a filter changes is not a page of it. */
function withoutPages({ pages: _, ...template }: ShapeTemplate): ShapeTemplate {
  return template
}

function translated(
  query: Query,
  template: ShapeTemplate,
  stored: Stored | undefined,
  resource: string,
  id: string,
): Translation {
  const shownId = template.keys ? inStyle(id, template.keys) : id
  const translation = translateQuery(query, template, resource, shownId)
  if (!stored) return translation
  const sent = new Map(translation.sent)
  return { query: withStoredNames(translation.query, stored, sent), sent }
}

/** The relations that a query attaches to rows, each with its collection. */
function relationsIn(query: Query, catalog: Engine): ReadonlyMap<string, string> {
  const { embed, expand } = parseRelations(query, readDialect(query))
  const names = new Set([...embed, ...expand].map((path) => path.split('.', 1)[0] ?? path))
  return new Map(
    [...names].flatMap((name) => {
      const [collection] = collectionsOf(catalog, { embed: [name], expand: [] })
      return collection === undefined ? [] : [[name, collection] as const]
    }),
  )
}

export function showRow({ shape, id, resource }: RequestShape, row: unknown, values: Values = {}): unknown {
  return shape.row(row, id, { resource, relationships: values.relationships })
}

export function showItem(request: RequestShape, row: unknown, values: Values = {}): unknown {
  const { shape, resource } = request
  return shape.item({ resource, row: showRow(request, row, values), ...values })
}
