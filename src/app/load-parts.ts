import type { RequestHandler } from 'express'
import { ConfigError } from '../catalogue/error-classes.ts'
import { isSameJson } from '../json/values.ts'
import { checkRules, type RewriteRules } from '../layers/rewriter.ts'
import {
  type AddedFields,
  addedFields,
  type OpenedSchemas,
  openSchemaOf,
} from '../resources/open-resources.ts'
import type { OpenedSchema } from '../resources/open-schema.ts'
import { isBuiltIn } from './build-layer.ts'
import type { Config } from './config/config.ts'
import { readJsonFile } from './config/config-file.ts'
import { accountsOf } from './config/sign-in.ts'
import type { Parts } from './parts.ts'
import { loadMiddleware } from './source/load-middleware.ts'
import { nextVersion } from './source/load-module.ts'

export interface Renewal {
  /** Files, as named in the config. */
  readonly changed: ReadonlySet<string>
  /** A new version cannot be used, and the old one stays. */
  readonly onFault: (name: string, error: unknown) => void
}

export const NOTHING_NEW: Renewal = { changed: new Set(), onFault: () => {} }

/** Handlers of the user's middleware files, by their entry in `middlewares`. */
export type Files = ReadonlyMap<string, readonly RequestHandler[]>

interface Loaded extends Pick<Parts, 'config' | 'rules' | 'schemas'> {
  readonly files: Files
}

export async function loadRules(
  { routes }: Config,
  old: Loaded | undefined,
  renewal: Renewal,
): Promise<RewriteRules> {
  if (routes === undefined) return {}
  const before = old?.config.routes === routes ? old.rules : undefined
  return renewed(routes, before, renewal, async () => {
    const rules = await readJsonFile(routes)
    try {
      return checkRules(rules)
    } catch (cause) {
      throw new ConfigError(`${routes}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  })
}

/** Opens the schemas of resources. One that did not change stays, and so does one whose file can no longer be used. */
export function loadSchemas(
  config: Config,
  old: Pick<Loaded, 'config' | 'schemas'> | undefined,
  { changed, onFault }: Renewal,
): OpenedSchemas {
  const schemas = new Map<string, OpenedSchema>()
  for (const [name, settings] of Object.entries(config.resources ?? {})) {
    const added = addedIn(config, name)
    const open = () => openSchemaOf(settings.schema, name, added)
    const { schema: file } = settings
    const isSame =
      old &&
      isSameJson(old.config.resources?.[name]?.schema, file) &&
      isSameJson(addedIn(old.config, name), added)
    const before = isSame ? old.schemas.get(name) : undefined
    const isChanged = typeof file === 'string' && changed.has(file)
    const opened = before
      ? isChanged
        ? openOr(before, open, (error) => onFault(file, error))
        : before
      : open()
    if (opened) schemas.set(name, opened)
  }
  return schemas
}

function addedIn(config: Config, name: string): AddedFields {
  return addedFields(name, config.resources?.[name] ?? {}, config, accountsOf(config)?.collection)
}

function openOr<T>(before: T, open: () => T | undefined, fail: (error: unknown) => void): T | undefined {
  try {
    return open()
  } catch (error) {
    fail(error)
    return before
  }
}

/** Loads the middleware files of a config. `handlers` are functions that it lists too. */
export async function loadFiles(
  { middlewares }: Config,
  old: Loaded | undefined,
  renewal: Renewal,
  handlers: Files = new Map(),
): Promise<Files> {
  const files = middlewares.filter((entry) => !isBuiltIn(entry) && !handlers.has(entry))
  // One version for all, so that files with a common import still share it.
  const version = old ? nextVersion() : 0
  const loaded = files.map(async (file) => {
    const before = old?.files.get(file)
    return [file, await renewed(file, before, renewal, () => loadMiddleware(file, version))] as const
  })
  return new Map([...handlers, ...(await Promise.all(loaded))])
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
