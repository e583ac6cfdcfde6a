import type { Request, Response } from 'express'
import type { Engine, EngineAccess } from '../../../core/engine/engine.ts'
import { idOf } from '../../../core/engine/id-of.ts'
import { collectionsOf } from '../../../core/engine/relations/relations.ts'
import { addApplied, prefersPlain } from '../../../core/kernel/http/headers.ts'
import { rewrites } from '../../../core/kernel/http/request-context.ts'
import { type PageParameter, plainUrl } from '../../../core/router/links.ts'
import { readDialect } from '../../../core/router/query/dialects.ts'
import { isGiven } from '../../../core/router/query/parameter-values.ts'
import { parseRelations } from '../../../core/router/query/parse-query.ts'
import { type Query, queryOf, translatedQueries } from '../../../core/router/query/query-string.ts'
import type { ShapedRequest } from '../../../core/router/shape.ts'
import { DATABASE, findTarget } from '../../../core/router/target.ts'
import type { ResponseShape, ResponseShapes } from '../response-shape.ts'
import type { ShapeTemplate } from '../shape-template.ts'
import type { WordValues } from '../template.ts'
import { withRelations } from './query-relations.ts'
import { type Stored, storedNames, withStoredNames } from './stored-names.ts'
import { type Translation, translateQuery } from './translate-query.ts'

/** How the response to a request looks, and what its query and body mean. */
export interface RequestShape extends Translation, ShapedRequest {
  readonly shape: ResponseShape
  readonly id: string
  readonly stored: Stored | undefined
  /** The relations that it asks for, by name, if they stand beside the rows. */
  readonly relations: ReadonlyMap<string, RelatedCollection>
  /** Whether it would still be read alike. */
  readonly isCurrent: () => boolean
}

export interface RelatedCollection {
  readonly name: string
  readonly id: string
}

/** By request, if its response has a shape. */
export const requestShapes = new WeakMap<Request, RequestShape>()

/**
 * Queries are read in the words of the shape from then on. Call right before: what names mean depends on the rows.
 * @param own the engine as the client may use it
 */
export async function enterShape(
  all: ResponseShapes,
  engine: Engine,
  own: EngineAccess,
  req: Request,
  res: Response,
): Promise<void> {
  if (prefersPlain(req)) return addApplied(req, res, ['shape=none'])
  if (req.url.startsWith('/__')) return
  const target = findTarget(engine, req.path)
  const resource = target?.name
  const shape = all.of(resource)
  if (!shape || DATABASE.test(req.path)) return
  const { template, showKey } = shape
  const names = template.keys && engine.names().join()
  const stored =
    template.keys && showKey && resource !== undefined
      ? await storedNames(engine, resource, template.keys, showKey)
      : undefined
  const id = idOf(resource ?? '', engine.naming)
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  const named = { resource: resource ?? '', id: showKey?.(id) ?? id }
  const ruled = rewrites.get(req)?.parameters ?? NO_PARAMETERS
  const translation = withStored(
    translateQuery(queryOf(req), isRead ? template : withoutPages(template), named, ruled),
    stored,
  )
  const mayLack = translation.picks.size > 0 || translation.paths.some((path) => path.includes('.'))
  const attached = mayLack || shape.separatesRelations ? relationsIn(translation.query) : []
  const { query, parents, isCurrent } =
    isRead && mayLack
      ? await withRelations(translation, attached, own, named.resource)
      : { query: translation.query, parents: [], isCurrent: () => true }
  translatedQueries.set(req, query)
  const { params = {}, pages: { from = 1 } = {} } = template
  requestShapes.set(req, {
    ...translation,
    query,
    shape,
    resource: named.resource,
    id,
    stored,
    status:
      target?.kind === 'item' || target?.parent ? shape.status : { ...shape.status, missing: undefined },
    relations: shape.separatesRelations ? collectionsBy(attached, engine) : NONE,
    parents,
    isCurrent: () => isCurrent() && (names === undefined || names === engine.names().join()),
    pageParameter: parameterFor('_page', params.page, from, translation),
    cachePrefix: `${[...ruled]}\n${shape.hasLinks ? `${plainUrl(req)}\n${req.originalUrl}\n` : 'shaped\n'}`,
  })
}

/** The parameter that leads to other pages: the one that the client used, else that of the shape. */
export function parameterFor(
  ours: '_page' | '_start',
  theirs: string | undefined,
  from: number,
  { query, sent }: Translation,
): PageParameter {
  const isOurs = theirs === undefined || (isGiven(query[ours]) && !sent.has(ours))
  return isOurs ? { name: ours, from: 1 } : { name: theirs, from }
}

const NO_PARAMETERS: ReadonlySet<string> = new Set()

const NONE: RequestShape['relations'] = new Map()

/** The rows of a filtered write are not a page. */
function withoutPages({ pages: _, ...template }: ShapeTemplate): ShapeTemplate {
  return template
}

function withStored(translation: Translation, stored: Stored | undefined): Translation {
  if (!stored) return translation
  const sent = new Map(translation.sent)
  const path = (text: string) => text.split('.').map(stored).join('.')
  return {
    ...translation,
    query: withStoredNames(translation.query, stored, sent),
    sent,
    paths: translation.paths.map(path),
    picks: new Map([...translation.picks].map(([name, fields]) => [path(name), fields.map(path)])),
  }
}

/** The relations that a query attaches to rows. */
function relationsIn(query: Query): readonly string[] {
  const { embed, expand } = parseRelations(query, readDialect(query))
  return [...embed, ...expand]
}

/** The collections of relations, by name. */
function collectionsBy(relations: readonly string[], catalog: Engine): RequestShape['relations'] {
  const names = new Set(relations.map((path) => path.split('.', 1)[0] ?? path))
  return new Map(
    [...names].flatMap((name) => {
      const [collection] = collectionsOf(catalog, { embed: [name], expand: [] })
      if (collection === undefined) return []
      return [[name, { name: collection, id: idOf(collection, catalog.naming) }] as const]
    }),
  )
}

export function showRow(
  { shape, id, resource }: RequestShape,
  row: unknown,
  values: WordValues = {},
): unknown {
  return shape.row(row, id, { resource, relationships: values.relationships })
}

export function showItem(request: RequestShape, row: unknown): unknown {
  const { shape, resource } = request
  return shape.item({ resource, row: showRow(request, row) })
}
