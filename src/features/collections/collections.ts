import type { Database } from '../../core/engine/data/database.ts'
import { Table } from '../../core/engine/data/table.ts'
import { endpoints, OPEN } from '../../core/kernel/catalogue/endpoint.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { sendJson } from '../../core/kernel/http/send-json.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { endpointFeature } from '../endpoint-feature.ts'

export const collectionsFeature = endpointFeature({
  name: 'collections',
  endpoints: endpoints(
    { kind: 'manage', isFor: 'admins' },
    {
      createResources: [
        'POST /__resources',
        'Create empty collections, in one change',
        {
          body: { type: 'object', minProperties: 1, additionalProperties: { type: 'array', maxItems: 0 } },
          example: { comments: [] },
          gives: OPEN,
          status: 201,
          errors: ['NAME_TAKEN', 'VALIDATION_FAILED', 'WRITE_FAILED'],
        },
      ],
    },
  ),
  handlers: ({ world: { engine }, causeOf }) => ({
    async createResources(req, res) {
      const names = namesIn(req.body)
      const run = async (newest: Database) => names.reduce(withCollection, newest)
      await engine.write({ kind: 'transaction', run }, { meta: causeOf(req).meta })
      sendJson(res, 201, Object.fromEntries(names.map((name) => [name, []])))
    },
  }),
})

function namesIn(body: unknown): readonly string[] {
  const wanted = isObject(body) ? Object.entries(body) : []
  const isList = wanted.every(([, rows]) => Array.isArray(rows) && rows.length === 0)
  if (wanted.length === 0 || !isList)
    throw new StorageError('INVALID_BODY', 'Send the collections to create, without rows: {"posts": []}')
  const names = wanted.map(([name]) => name)
  const wrong = names.find((name) => !isPathPart(name))
  if (wrong === undefined) return names
  throw new StorageError(
    'VALIDATION_FAILED',
    `${JSON.stringify(wrong.slice(0, LONGEST))} cannot be the name of a collection: it is a part of URLs, has 1 to ${LONGEST} characters and no slash, does not begin with two underscores, and is not db.`,
  )
}

const LONGEST = 100

/** Whether `/name` leads to a resource of that name. */
function isPathPart(name: string): boolean {
  const isShort = name.length > 0 && name.length <= LONGEST
  return isShort && name.isWellFormed() && !RESERVED.test(name)
}

const RESERVED = /[/\\\p{Cc}]|^__|^\.{1,2}$|^(?:db|index\.html|\$schema)$/iu

function withCollection(database: Database, name: string): Database {
  if (!database.parts.has(name)) return database.with(name, Table.EMPTY)
  throw new StorageError('NAME_TAKEN', `There is something called ${name} already. Choose another name.`)
}
