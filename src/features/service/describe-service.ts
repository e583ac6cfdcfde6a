import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { accessIn } from '../../config/access-in.ts'
import { describeLayers } from '../../config/describe-layers.ts'
import { settingsOf } from '../../config/resource-config.ts'
import type { EngineAccess } from '../../core/engine/engine.ts'
import { idOf } from '../../core/engine/id-of.ts'
import { countRows, readRows } from '../../core/engine/read-rows.ts'
import { foreignKey, isUsualPlural, listKey } from '../../core/engine/relations/relations.ts'
import type { Row } from '../../core/engine/types.ts'
import type {
  AccessInfo,
  PersonaInfo,
  RelationInfo,
  ResourceInfo,
  ServiceInfo,
} from '../../core/kernel/catalogue/service-info.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { packageVersion } from '../../core/kernel/util/package-version.ts'
import { DEFAULTS } from '../../core/layers/parts/options.ts'
import { isInFiles, type SourceSetting } from '../../source/load-source.ts'
import { isPostgres, readAddress } from '../../stores/postgres/address.ts'
import { shapesIn } from '../../wings/shapes/shape-settings.ts'
import type { Served } from '../feature.ts'
import type { Config } from '../settings.ts'
import { mayHaveWorlds } from '../worlds.ts'

/** The response of `GET /__service`. Size and time of the file reveal unreadable rows, so they are for admins. */
export async function describeService(
  { config, readable, engine, rewrites: rules, beginnings, uptime, dataFault }: Served,
  isAdmin: boolean,
): Promise<ServiceInfo> {
  const personas = await describePersonas(config, engine)
  const fault = dataFault()
  const address = isPostgres(config.source) ? readAddress(config.source) : undefined
  return {
    version: packageVersion(),
    uptime: Math.round(uptime()),
    ...(address && { database: { name: address.name, schema: address.schema } }),
    data: await describeFile(config.source, isAdmin),
    ...(fault !== undefined && { dataFault: fault }),
    id: engine.naming.id,
    foreignKeySuffix: engine.naming.foreignKeySuffix,
    readOnly: config.readOnly,
    cascade: config.cascade,
    snapshots: config.snapshots !== undefined,
    ...(shapesIn(config) && { shape: true }),
    layers: describeLayers(config),
    rules,
    resources: await describeResources(config, readable, accessIn(config, engine.naming)?.describe),
    ...(beginnings && mayHaveWorlds(config) && { scenarios: beginnings.names }),
    ...(personas && { personas }),
  }
}

/** Of a folder, what is known without looking into it. */
async function describeFile(
  source: SourceSetting | undefined,
  isAdmin: boolean,
): Promise<ServiceInfo['data']> {
  if (!isInFiles(source)) return null
  const paths = [source].flat()
  const file = paths.map((path) => basename(path)).join(', ')
  if (!isAdmin) return { file }
  const stats = (await Promise.all(paths.map((path) => stat(path).catch(() => [])))).flat()
  const latest = stats
    .map(({ mtime }) => mtime.toISOString())
    .sort()
    .at(-1)
  const isFolder = stats.some((one) => one.isDirectory())
  const size = stats.reduce((sum, one) => sum + one.size, 0)
  return { file, savedAt: latest ?? null, ...(!isFolder && { size }) }
}

const MOST = 100

/** Whom clients may act as; undefined where they may not act as others. */
async function describePersonas(
  { middlewares, layers }: Config,
  engine: EngineAccess,
): Promise<PersonaInfo[] | undefined> {
  const { persona, collection, roles } = { ...DEFAULTS.accounts, ...layers.accounts }
  if (!persona || !middlewares.includes('accounts')) return undefined
  const users = (await readRows(engine, collection, MOST)) ?? []
  return users.flatMap((user: unknown) => {
    const { email, username, role = roles[0] }: Record<string, unknown> = Object(user)
    const name = email ?? username
    return typeof name === 'string' ? [{ email: name, role: String(role) }] : []
  })
}

const SAMPLE = 50

async function describeResources(
  config: Config,
  engine: EngineAccess,
  accessOf?: (resource: string) => AccessInfo,
): Promise<ResourceInfo[]> {
  const collections = engine.names().filter((name) => engine.kindOf(name) === 'collection')
  const ranked = collections.toSorted((a, b) => Number(isUsualPlural(a)) - Number(isUsualPlural(b)))
  const keys = new Map(ranked.map((name) => [foreignKey(name, engine.naming), name]))
  const listKeys = collections.map((name) => ({ name, field: listKey(name, engine.naming) }))
  return Promise.all(
    engine.names().map(async (name) => {
      const rows = await readRows(engine, name, SAMPLE)
      const count = await countRows(engine, name)
      const ruled = accessOf && { access: accessOf(name) }
      if (!rows || count === undefined) return { name, kind: 'object', count: null, relations: [], ...ruled }
      const id = idOf(name, engine.naming)
      const fields = new Set(rows.flatMap((row) => Object.keys(row ?? {})))
      fields.delete(id)
      const { foreignKeySuffix } = engine.naming
      const relations = [...fields].flatMap((field) => relationOf(field, keys, foreignKeySuffix))
      const lists = listKeys.filter(({ field }) => field !== id && holdsList(rows, field))
      const listed = lists.map((list) => ({ field: list.field, resource: list.name, expand: list.name }))
      const known = new Set([...relations, ...listed].map(({ field }) => field))
      const declared = Object.entries(settingsOf(config, name)?.references ?? {})
      const references = declared.flatMap(([field, { resource }]) =>
        known.has(field) ? [] : { field, resource, isList: holdsList(rows, field) },
      )
      return {
        name,
        kind: 'collection',
        count,
        ...(id !== engine.naming.id && { id }),
        relations,
        ...(listed.length > 0 && { lists: listed }),
        ...(references.length > 0 && { references }),
        ...ruled,
      }
    }),
  )
}

function holdsList(rows: readonly Row[], field: string): boolean {
  return rows.some((row) => isObject(row) && Object.hasOwn(row, field) && Array.isArray(row[field]))
}

function relationOf(field: string, keys: ReadonlyMap<string, string>, suffix: string): RelationInfo[] {
  const resource = keys.get(field)
  return resource === undefined ? [] : [{ field, resource, expand: field.slice(0, -suffix.length) }]
}
