import type { AccessInfo, RelationInfo, ResourceInfo } from '../../catalogue/service-info.ts'
import { isObject } from '../../json/values.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import { countRows, readRows } from '../../storage/engine/read-rows.ts'
import { foreignKey, listKey } from '../../storage/relations/relations.ts'
import type { Row } from '../../storage/types.ts'

/** Number of rows sampled to find out which fields a collection has. */
const SAMPLE = 50

/** What is currently served: collections and objects, item counts, and which fields reference what. */
export async function describeResources(
  engine: EngineAccess,
  accessOf?: (resource: string) => AccessInfo,
): Promise<ResourceInfo[]> {
  const collections = engine.names().filter((name) => engine.kindOf(name) === 'collection')
  const keys = new Map(collections.map((name) => [foreignKey(name, engine.naming), name]))
  const listKeys = collections.map((name) => ({ name, field: listKey(name, engine.naming) }))
  return Promise.all(
    engine.names().map(async (name) => {
      const rows = await readRows(engine, name, SAMPLE)
      const count = await countRows(engine, name)
      const ruled = accessOf && { access: accessOf(name) }
      if (!rows || count === undefined) return { name, kind: 'object', count: null, relations: [], ...ruled }
      const fields = new Set(rows.flatMap((row) => Object.keys(row ?? {})))
      const { foreignKeySuffix } = engine.naming
      const relations = [...fields].flatMap((field) => relationOf(field, keys, foreignKeySuffix))
      const lists = listKeys.filter(({ field }) => rows.some((row) => Array.isArray(ownList(row, field))))
      const told = lists.map((list) => ({ field: list.field, resource: list.name, expand: list.name }))
      return { name, kind: 'collection', count, relations, ...(told.length > 0 && { lists: told }), ...ruled }
    }),
  )
}

function ownList(row: Row, field: string): unknown {
  return isObject(row) && Object.hasOwn(row, field) ? row[field] : undefined
}

function relationOf(field: string, keys: ReadonlyMap<string, string>, suffix: string): RelationInfo[] {
  const resource = keys.get(field)
  return resource === undefined ? [] : [{ field, resource, expand: field.slice(0, -suffix.length) }]
}
