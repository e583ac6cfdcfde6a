import { nextVersion } from '../../config/load-module.ts'
import { originAt } from '../../config/origin-at.ts'
import { checkResources } from '../../config/resources/open-resources.ts'
import { Clock } from '../../core/kernel/util/clock.ts'
import { Turns } from '../../core/kernel/util/turns.ts'
import { useRules } from '../../source/account-rules.ts'
import { checkComputed } from '../../source/check-computed.ts'
import { findLogic, loadLogic } from '../../source/load-logic.ts'
import { isSameData, loadRules, loadSchemas } from '../../source/load-parts.ts'
import { checkExists, type OpenedData, openExisting, reloadData } from '../../source/open-data.ts'
import { FileWatch, followedFiles } from '../../source/watched-files.ts'
import { computedIn } from '../../wings/logic/resource-logic.ts'
import type { JsonSchema } from '../../wings/schemas/json-schema.ts'
import { FEATURES } from '../list.ts'
import type { Config, ConfigSettings } from '../settings.ts'
import { configOf, type SplitOptions, type StartOptions, splitCodeFromSettings } from '../start-options.ts'
import type { OpenApiDocument } from './openapi/openapi-document.ts'
import { SelfDescription } from './self-description.ts'

export interface ApiDescription {
  /** TypeScript types of rows, new rows and paths. */
  types(): Promise<string>
  /** OpenAPI 3.1. */
  openapi(): Promise<OpenApiDocument>
  /** JSON Schema 2020-12 of the database. */
  schema(): Promise<JsonSchema>
}

/**
 * Describes the API that `start` would serve with the same options, with the computed fields and handlers of a logic file.
 * Opens no port, writes nothing and does not load middleware files.
 *
 * @example
 * const api = await describeApi({ source: 'db.json' })
 * await writeFile('api.d.ts', await api.types())
 */
export async function describeApi(options: StartOptions): Promise<ApiDescription> {
  return (await open(options, splitCodeFromSettings(options))).description
}

export interface Follower {
  /** Gets the current description first, and then each new one. */
  readonly hear: (description: ApiDescription) => unknown
  /** Gets the reason if there is no new one. */
  readonly fail: (error: unknown) => void
}

/** The same, again whenever a file changes. Returns a function that stops it. */
export async function followApi(options: StartOptions, { hear, fail }: Follower): Promise<() => void> {
  const { configFile, data } = options
  const separated = splitCodeFromSettings(options)
  const files = new FileWatch()
  const follow = async (settings: ConfigSettings) => {
    const config = { ...configOf(settings, configFile), middlewares: [] }
    const followed = await followedFiles(config, data !== undefined, configFile?.path)
    await files.follow([...followed.values()].flat())
  }
  // Before the files are read, so that no change is missed.
  await follow(separated.settings)
  let opened = await open(options, separated)
  await hear(opened.description)
  const turns = new Turns()
  const reload = async () => {
    const settings = (await configFile?.read()) ?? separated.settings
    await follow(settings)
    const { engine } = opened.data
    opened = await open(options, { ...separated, settings }, opened)
    if (opened.data.engine !== engine) await engine.close()
    await hear(opened.description)
  }
  files.start(() => void turns.take(reload).catch(fail))
  return () => files.close()
}

interface Opened {
  readonly config: Config
  readonly data: OpenedData
  readonly description: ApiDescription
}

async function open(options: StartOptions, separated: SplitOptions, old?: Opened): Promise<Opened> {
  const config = configOf(separated.settings, options.configFile)
  const opened = await openOrReload(config, options, old)
  const { engine } = opened
  const rewrites = separated.rules ?? (await loadRules(config))
  const schemas = await loadSchemas(config)
  const version = old ? nextVersion() : 0
  checkResources(config.resources ?? {}, engine)
  const file = findLogic(config, options.data !== undefined)
  const logic = separated.logic ?? (file === undefined ? undefined : await loadLogic(file, version))
  checkComputed(logic, engine, config)
  await useRules(engine, config, schemas, new Clock(), logic && computedIn(logic, () => {}))
  const self = new SelfDescription({ config, engine, rewrites, schemas, features: FEATURES, logic })
  const description: ApiDescription = {
    types: () => self.types(),
    openapi: () => self.openApiDocument(originAt(config.host, config.port, config.https)),
    schema: () => self.schemaDocument(),
  }
  return { config, data: opened, description }
}

async function openOrReload(
  config: Config,
  { data, configFile }: StartOptions,
  old: Opened | undefined,
): Promise<OpenedData> {
  const { source } = config
  if (!old || !isSameData(old.config, config) || source === undefined)
    return openExisting(config, { data, configFile: configFile?.path })
  if (data === undefined) checkExists(source)
  await reloadData(old.data, source)
  return old.data
}
