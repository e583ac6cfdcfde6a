import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { RewriteRules } from '../../layers/rewriter.ts'
import type { ServiceInfo } from '../../service-info.ts'
import type { EngineAccess } from '../../storage/engine/engine.ts'
import { isPostgres, readAddress } from '../../storage/postgres/link/address.ts'
import { describeAccess } from '../access/open-access.ts'
import type { Config } from '../config/config.ts'
import { packageVersion } from '../package-version.ts'
import { isJsonFile } from '../source/load-source.ts'
import { describeLayers } from './describe-layers.ts'
import { describePersonas } from './describe-personas.ts'
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
