import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { PersonaInfo, ServiceInfo } from '../../catalogue/service-info.ts'
import { DEFAULTS } from '../../layers/parts/options.ts'
import type { RewriteRules } from '../../layers/rewriter.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import { readRows } from '../../storage/engine/read-rows.ts'
import { isPostgres, readAddress } from '../../storage/postgres/address.ts'
import { describeAccess } from '../accounts/open-access.ts'
import type { Config } from '../config/config.ts'
import { packageVersion } from '../package-version.ts'
import { isJsonFile } from '../source/load-source.ts'
import { describeLayers } from './describe-layers.ts'
import { describeResources } from './describe-resources.ts'

export interface Described {
  readonly config: Config
  readonly engine: EngineAccess
  /** All of the data, also what the client may not read. */
  readonly base: EngineAccess
  readonly rules: RewriteRules
  readonly uptime: () => number
}

/** The response of `GET /__service`. Size and time of the file tell of rows that a client may not read: for admins. */
export function describeService(described: Described): (isAdmin: boolean) => Promise<ServiceInfo> {
  const { config, engine, base, rules, uptime } = described
  const version = packageVersion()

  return async (isAdmin) => {
    const personas = await describePersonas(config, base)
    return {
      version,
      uptime: Math.round(uptime()),
      ...(isPostgres(config.source) && { database: describeDatabase(config.source) }),
      data: await describeFile(config.source, isAdmin),
      ...engine.naming,
      readOnly: config.readOnly,
      cascade: config.cascade,
      snapshots: config.snapshots !== undefined,
      layers: describeLayers(config),
      rules,
      resources: await describeResources(engine, describeAccess(config, engine.naming)),
      ...(personas && { personas }),
    }
  }
}

function describeDatabase(source: string): NonNullable<ServiceInfo['database']> {
  const { name, schema } = readAddress(source)
  return { name, schema }
}

/** The file's modification time is its last save, by us or anyone else. */
async function describeFile(source: string | undefined, isAdmin: boolean): Promise<ServiceInfo['data']> {
  if (!isJsonFile(source)) return null
  if (!isAdmin) return { file: basename(source) }
  const found = await stat(source).catch(() => undefined)
  return {
    file: basename(source),
    savedAt: found === undefined ? null : found.mtime.toISOString(),
    size: found?.size ?? 0,
  }
}

/** Enough to choose from. */
const MOST = 100

/** Whom clients may act as; undefined where they may not act as others. */
async function describePersonas(
  { middlewares, layers, hosted }: Config,
  engine: EngineAccess,
): Promise<PersonaInfo[] | undefined> {
  const { persona, collection, roles } = { ...DEFAULTS.accounts, ...layers.accounts }
  if (!persona || hosted || !middlewares.includes('accounts')) return undefined
  const users = (await readRows(engine, collection, MOST)) ?? []
  return users.flatMap((user: unknown) => {
    const { email, username, role = roles[0] }: Record<string, unknown> = Object(user)
    const name = email ?? username
    return typeof name === 'string' ? [{ email: name, role: String(role) }] : []
  })
}
