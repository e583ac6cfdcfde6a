import type { RequestHandler } from 'express'
import type { BaseConfig } from '../config/config.ts'
import { readJsonFile } from '../config/config-file.ts'
import { nextVersion } from '../config/load-module.ts'
import { namingOf } from '../config/naming-of.ts'
import { addedIn } from '../config/resource-config.ts'
import { type OpenedSchemas, openSchemaOf } from '../config/resources/open-resources.ts'
import { ConfigError } from '../core/kernel/catalogue/error-classes.ts'
import type { RewriteRules } from '../core/kernel/http/request-url.ts'
import { isSameJson } from '../core/kernel/json/values.ts'
import { isLayer } from '../core/layers/list.ts'
import { parseRewriteRules } from '../core/layers/rewriter.ts'
import type { ParsedLogic } from '../wings/logic/parse-logic.ts'
import type { OpenedSchema } from '../wings/validation/open-schema.ts'
import { loadLogic } from './load-logic.ts'
import { loadMiddleware } from './load-middleware.ts'
import { isDataFile, isFolder } from './load-source.ts'
import { besidesData } from './open-data.ts'

export interface Renewal {
  readonly changed: ReadonlySet<string>
  readonly onFault: (name: string, error: unknown) => void
}

export const NOTHING_NEW: Renewal = { changed: new Set(), onFault: () => {} }

export type Files = ReadonlyMap<string, readonly RequestHandler[]>

interface Loaded {
  readonly config: BaseConfig
  readonly rewrites: RewriteRules
  readonly schemas: OpenedSchemas
  readonly files: Files
}

export async function loadRules(
  { routes }: BaseConfig,
  old?: Loaded,
  renewal: Renewal = NOTHING_NEW,
): Promise<RewriteRules> {
  if (routes === undefined) return {}
  const before = old?.config.routes === routes ? old.rewrites : undefined
  return renewed(routes, before, renewal, async () => {
    const rules = await readJsonFile(routes)
    try {
      return parseRewriteRules(rules)
    } catch (cause) {
      throw new ConfigError(`${routes}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  })
}

/** Opens the schemas of resources. Unchanged ones stay, and so do those whose file can no longer be used. */
export async function loadSchemas(
  config: BaseConfig,
  old?: Pick<Loaded, 'config' | 'schemas'>,
  renewal: Renewal = NOTHING_NEW,
): Promise<OpenedSchemas> {
  const schemas = new Map<string, OpenedSchema>()
  for (const [name, { schema }] of Object.entries(config.resources ?? {})) {
    const added = addedIn(config, name)
    const isSame =
      old &&
      isSameJson(old.config.resources?.[name]?.schema, schema) &&
      isSameJson(addedIn(old.config, name), added)
    const before = isSame ? old.schemas.get(name) : undefined
    const file = typeof schema === 'string' ? schema : ''
    const opened = await renewed(file, before, renewal, async () => openSchemaOf(schema, name, added))
    if (opened) schemas.set(name, opened)
  }
  return schemas
}

export async function loadFiles(
  { middlewares }: BaseConfig,
  old: Loaded | undefined,
  renewal: Renewal,
  handlers: Files = new Map(),
): Promise<Files> {
  const files = middlewares.filter((entry) => !isLayer(entry) && !handlers.has(entry))
  // One version for all, so that files with a common import still share it.
  const version = old ? nextVersion() : 0
  const load = (file: string) =>
    renewed(file, old?.files.get(file), renewal, () => loadMiddleware(file, version))
  const loaded = files.map(async (file) => [file, await load(file)] as const)
  // Those that are still being loaded have Express 4 paths: a program that gets the error of another must not have them.
  await Promise.allSettled(loaded)
  return new Map([...handlers, ...(await Promise.all(loaded))])
}

export async function loadServiceLogic(
  file: string | undefined,
  old: { readonly logic: ParsedLogic | undefined } | undefined,
  renewal: Renewal,
  check: (logic: ParsedLogic) => void,
): Promise<ParsedLogic | undefined> {
  if (file === undefined) return undefined
  const before = old?.logic?.name === file ? old.logic : undefined
  return renewed(file, before, renewal, async () => {
    const logic = await loadLogic(file, old ? nextVersion() : 0)
    check(logic)
    return logic
  })
}

/** The old version, unless it changed and the new one can be loaded. */
async function renewed<T>(
  name: string,
  before: T | undefined,
  { changed, onFault }: Renewal,
  load: () => Promise<T>,
): Promise<T> {
  if (before === undefined) return load()
  if (!changed.has(name)) return before
  return load().catch((error: unknown) => {
    onFault(name, error)
    return before
  })
}

/** Whether two configs serve the same data, so that the engine can stay. */
export function isSameData(a: BaseConfig, b: BaseConfig): boolean {
  const isSame = DATA_SETTINGS.every((key) => isSameJson(a[key], b[key]))
  const isSameFolder = isSameJson(inFolder(a), inFolder(b))
  const isSameIds = isSameJson([...(namingOf(a).ids ?? [])], [...(namingOf(b).ids ?? [])])
  return isSame && isSameFolder && isSameIds
}

/** Data files that are not served from the folder, as the settings name them. */
function inFolder(config: BaseConfig): readonly string[] {
  const { source } = config
  return typeof source === 'string' && isFolder(source) ? besidesData(config).filter(isDataFile) : []
}

const DATA_SETTINGS = ['source', 'seed', 'persist', 'id', 'foreignKeySuffix'] as const
