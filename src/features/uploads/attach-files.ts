import type { Request } from 'express'
import { hasField } from '../../core/engine/data/fields.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { hasBody, isUnread } from '../../core/layers/parts/read-body.ts'
import type { AttachedTarget, Attachments } from '../../core/router/attachments.ts'
import { rootOf } from '../../core/router/links.ts'
import { queryOf, translatedQueries } from '../../core/router/query/query-string.ts'
import { RequestError } from '../../core/router/request-error.ts'
import { formTexts } from '../../core/router/write-body.ts'
import { fieldsOf } from './form-fields.ts'
import type { KeptFiles } from './kept-files.ts'
import type { StoredUrls } from './stored-url.ts'
import { type FormLimits, takeForm } from './take-form.ts'

interface AttachOptions {
  readonly limits: FormLimits
  readonly urls: StoredUrls
  /** The files of a request's world. */
  readonly filesOf: (req: Request) => KeptFiles
  readonly schemaOf: (resource: string) => unknown
}

const FORM = /^\s*multipart\/form-data\s*(?:;|$)/i
const WRITES = ['POST', 'PUT', 'PATCH']

/** Forms with files as bodies, and stored URLs as clients see them. */
export function attachFiles({ limits, urls, filesOf, schemaOf }: AttachOptions): Attachments {
  const around: Attachments['around'] = async (req, attached, write) => {
    const { target, mayCreate, find } = attached
    if (target.kind === 'list' && req.method !== 'POST')
      throw new RequestError(
        'INVALID_BODY',
        'A form sets the fields of one row; send JSON to change several.',
      )
    const row = req.method === 'POST' ? undefined : await find()
    // Nothing is stored for a row that is not there.
    if (target.kind === 'item' && !row && !mayCreate) return write()
    const received = filesOf(req).receive()
    let isDone = false
    try {
      const parts = await takeForm(req, { limits, urls, received })
      const hasData = await hasDataField(attached, schemaOf(target.name))
      const typesOf = (path: readonly string[]) => typesIn(schemaOf(target.name), path)
      const isFile = (value: unknown) => urls.isFile(value)
      const form = { row, isWhole: req.method === 'PUT', hasData, typesOf, isFile }
      const { fields, texts } = fieldsOf(parts, form)
      req.body = urls.fromClient(fields)
      // For handlers behind this one: there is nothing left to read.
      Object.assign(req, { _body: true })
      formTexts.set(req, texts)
      await received.flush()
      const outcome = await write()
      isDone = outcome !== undefined
      return outcome
    } finally {
      await (isDone ? received.keep() : received.drop())
    }
  }

  return {
    takes: (req) =>
      FORM.test(req.headers['content-type'] ?? '') &&
      WRITES.includes(req.method) &&
      hasBody(req) &&
      isUnread(req),
    around,
    receive(req) {
      if (typeof req.body === 'object' && req.body !== null) {
        const body = urls.fromClient(req.body)
        if (body !== req.body) req.body = body
      }
      if (!req.url.includes('%2F') && !req.url.includes('%2f') && !urls.isIn(req.url)) return
      const query = queryOf(req)
      const stored = urls.fromClient(query, true)
      if (stored !== query && isObject(stored)) translatedQueries.set(req, stored)
    },
    urlsFor(req) {
      const root = rootOf(req)
      return {
        root,
        text: (json) => urls.toClient(json, root),
        pieces: (json) => urls.piecesToClient(json, root),
      }
    },
  }
}

async function hasDataField({ engine, target: { name } }: AttachedTarget, schema: unknown): Promise<boolean> {
  if (typesIn(schema, ['data']).isNamed || engine.declares(name, 'data')) return true
  const table = engine.database.table(name)
  if (table) return hasField(table, 'data')
  return Object.hasOwn(engine.database.object(name) ?? {}, 'data')
}

/** The types of a field in a schema, as far as it has them right there, or where its `$ref` leads. */
function typesIn(schema: unknown, path: readonly string[]) {
  let node = resolved(schema, schema)
  for (const step of path) node = resolved(within(node, step), schema)
  return {
    own: namedTypes(node),
    items: namedTypes(resolved(within(node, '0'), schema)),
    isNamed: node !== undefined,
  }
}

function within(node: unknown, step: string): unknown {
  if (!isObject(node)) return undefined
  if (isObject(node.properties) && Object.hasOwn(node.properties, step)) return node.properties[step]
  return /^\d+$/.test(step) ? node.items : undefined
}

function resolved(node: unknown, root: unknown): unknown {
  const to =
    isObject(node) && typeof node.$ref === 'string' ? /^#((?:\/[^/]+)*)$/.exec(node.$ref)?.[1] : undefined
  if (to === undefined) return node
  let found = root
  for (const step of to.split('/').slice(1)) found = isObject(found) ? found[step] : undefined
  return found
}

function namedTypes(node: unknown): readonly string[] {
  return isObject(node) ? [node.type ?? []].flat().map(String) : []
}
